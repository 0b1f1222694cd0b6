import { Column, CreateDateColumn, Entity, PrimaryColumn } from 'typeorm';

/** Amounts that count towards the cap of an account's month, or of a job. The unused part of the key is empty. */
@Entity('spend_totals')
export class SpendTotal {
  @PrimaryColumn({ name: 'account_id', type: 'text' }) accountId: string;
  @PrimaryColumn({ name: 'job_id', type: 'text' }) jobId: string;
  @PrimaryColumn({ type: 'text' }) month: string;
  @Column({ type: 'numeric' }) reserved: string;
  @Column({ type: 'numeric' }) settled: string;
  @Column({ type: 'int' }) notified: number;
  @CreateDateColumn({ name: 'created_at', type: 'timestamptz' }) createdAt: Date;
}
