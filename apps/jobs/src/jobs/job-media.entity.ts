import { Entity, PrimaryColumn } from 'typeorm';

/** Uploaded file that a job uses. */
@Entity('job_media')
export class JobMedia {
  @PrimaryColumn({ name: 'account_id', type: 'text' }) accountId: string;
  @PrimaryColumn({ name: 'job_id', type: 'text' }) jobId: string;
  @PrimaryColumn({ name: 'media_id', type: 'text' }) mediaId: string;
}
