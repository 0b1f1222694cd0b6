import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Delivered messages with pricing by day, counted in the transaction that stores their pricing or delivery. */
@Entity('usage_days')
export class UsageDay {
  @PrimaryColumn({ name: 'account_id', type: 'text' }) accountId: string;
  @PrimaryColumn({ type: 'date' }) day: string;
  @PrimaryColumn({ type: 'text' }) category: string;
  @PrimaryColumn({ type: 'text' }) type: string;
  @PrimaryColumn({ type: 'text' }) billable: string;
  @PrimaryColumn({ type: 'text' }) country: string;
  @PrimaryColumn({ type: 'text' }) template: string;
  @PrimaryColumn({ name: 'job_id', type: 'text' }) jobId: string;
  @Column({ type: 'bigint' }) delivered: string;
}
