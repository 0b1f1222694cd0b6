import { Column, CreateDateColumn, Entity, PrimaryColumn } from 'typeorm';

/** A part of the recipients of a job that is being created. */
@Entity('staged_rows')
export class StagedRows {
  @PrimaryColumn({ name: 'account_id', type: 'text' }) accountId: string;
  @PrimaryColumn({ name: 'job_id', type: 'text' }) jobId: string;
  @PrimaryColumn({ type: 'int' }) part: number;
  @Column({ type: 'text' }) rows: string;
  @CreateDateColumn({ name: 'created_at', type: 'timestamptz' }) createdAt: Date;
}
