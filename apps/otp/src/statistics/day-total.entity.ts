import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Sends and verifications of one day, split into shards so that concurrent writers do not wait for each other. */
@Entity('figures')
export class DayTotal {
  @PrimaryColumn({ name: 'account_id', type: 'text' }) accountId: string;
  @PrimaryColumn({ type: 'date' }) day: string;
  @PrimaryColumn({ type: 'smallint' }) shard: number;
  @Column({ type: 'int' }) sent: number;
  @Column({ type: 'int' }) failed: number;
  @Column({ type: 'int' }) verified: number;
  @Column({ type: 'int' }) refused: number;
}
