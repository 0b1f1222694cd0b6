import { Column, CreateDateColumn, Entity, PrimaryColumn } from 'typeorm';

/** A bulk job with its counts. */
@Entity('jobs')
export class Job {
  @PrimaryColumn({ name: 'account_id', type: 'text' }) accountId: string;
  @PrimaryColumn({ type: 'text' }) id: string;
  @Column({ type: 'text', nullable: true }) name: string | null;
  @Column({ type: 'text' }) type: string;
  @Column({ type: 'text' }) status: string;
  @Column({ type: 'text', nullable: true }) template: string | null;
  @Column({ type: 'int' }) total: number;
  @CreateDateColumn({ name: 'created_at', type: 'timestamptz' }) createdAt: Date;
  @Column({ type: 'jsonb' }) message: unknown;
  @Column({ name: 'phone_number', type: 'text', nullable: true }) phoneNumber: string | null;
  @Column({ name: 'template_language', type: 'text', nullable: true }) templateLanguage: string | null;
  @Column({ name: 'retry_of', type: 'text', nullable: true }) retryOf: string | null;
  @Column({ name: 'pause_reason', type: 'text', nullable: true }) pauseReason: string | null;
  @Column({ type: 'jsonb', nullable: true }) error: unknown;
  @Column({ name: 'scheduled_at', type: 'timestamptz', nullable: true }) scheduledAt: Date | null;
  @Column({ name: 'started_at', type: 'timestamptz', nullable: true }) startedAt: Date | null;
  @Column({ name: 'completed_at', type: 'timestamptz', nullable: true }) completedAt: Date | null;
  @Column({ name: 'deadline_at', type: 'timestamptz', nullable: true }) deadlineAt: Date | null;
  @Column({ name: 'is_open', type: 'boolean' }) isOpen: boolean;
  @Column({ name: 'released_to', type: 'int' }) releasedTo: number;
  @Column({ name: 'settled_to', type: 'int' }) settledTo: number;
  @Column({ type: 'text' }) recent: string;
  @Column({ type: 'int' }) pending: number;
  @Column({ type: 'int' }) released: number;
  @Column({ type: 'int' }) unknown: number;
  @Column({ type: 'int' }) accepted: number;
  @Column({ type: 'int' }) sent: number;
  @Column({ type: 'int' }) delivered: number;
  @Column({ type: 'int' }) read: number;
  @Column({ type: 'int' }) failed: number;
  @Column({ type: 'int' }) cancelled: number;
  @Column({ type: 'int' }) rejected: number;
  @Column({ type: 'int' }) duplicates: number;
  @Column({ name: 'expire_at', type: 'timestamptz', nullable: true }) expireAt: Date | null;
  @Column({ name: 'paused_at', type: 'timestamptz', nullable: true }) pausedAt: Date | null;
  @Column({ type: 'jsonb', nullable: true }) sheet: unknown;
  @Column({ type: 'jsonb', nullable: true }) warnings: unknown;
  @Column({ name: 'max_spend', type: 'jsonb', nullable: true }) maxSpend: unknown;
  @Column({ type: 'jsonb', nullable: true }) estimate: unknown;
  @Column({ name: 'template_category', type: 'text', nullable: true }) templateCategory: string | null;
  @Column({ name: 'estimate_after', type: 'timestamptz', nullable: true }) estimateAfter: Date | null;
  @Column({ name: 'quiet_hours', type: 'jsonb', nullable: true }) quietHours: unknown;
  @Column({ name: 'waiting_until', type: 'timestamptz', nullable: true }) waitingUntil: Date | null;
}
