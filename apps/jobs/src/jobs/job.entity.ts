import type { JobRecord, JobStatus } from '@switchboard/contracts';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A bulk job: recipients that were accepted together and are sent at the number's pace. */
@Entity({ name: 'jobs' })
export class JobEntity {
  @PrimaryColumn({ name: 'account_id', type: 'text' }) accountId: string;
  @PrimaryColumn({ type: 'text' }) id: string;
  @Column({ type: 'text' }) type: JobRecord['type'];
  @Column({ type: 'text' }) status: JobStatus;
  @Column({ type: 'text', nullable: true }) template: string | null;
  /** Recipients of the job. */
  @Column({ type: 'int' }) total: number;
  @Column({ name: 'created_at', type: 'timestamptz' }) createdAt: Date;
}
