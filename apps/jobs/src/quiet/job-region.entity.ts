import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Recipients in one region of a job with quiet hours. */
@Entity('job_regions')
export class JobRegion {
  @PrimaryColumn({ name: 'job_id', type: 'text' }) jobId: string;
  @PrimaryColumn({ type: 'text' }) region: string;
  @Column({ name: 'account_id', type: 'text' }) accountId: string;
  @Column({ type: 'int' }) pending: number;
}
