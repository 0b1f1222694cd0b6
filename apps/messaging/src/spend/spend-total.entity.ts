import { Column, CreateDateColumn, Entity, PrimaryColumn } from 'typeorm';

/** Amounts that count towards a cap. `jobId` is empty in monthly totals of accounts, `month` in totals of jobs. */
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
