import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Length of a list of an account, split into slots so that concurrent writers do not block each other. */
@Entity('list_totals')
export class ListTotal {
  @PrimaryColumn({ name: 'account_id', type: 'text' }) accountId: string;
  @PrimaryColumn({ type: 'text' }) list: string;
  @PrimaryColumn({ type: 'int' }) slot: number;
  @Column({ type: 'bigint' }) total: string;
}
