import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Business number of a job that sends from several numbers. */
@Entity('job_numbers')
export class JobNumber {
  @PrimaryColumn({ name: 'job_id', type: 'text' }) jobId: string;
  @PrimaryColumn({ name: 'phone_number', type: 'text' }) phoneNumber: string;
  @Column({ name: 'account_id', type: 'text' }) accountId: string;
  @Column({ type: 'smallint' }) position: number;
  @Column({ name: 'stopped_reason', type: 'text', nullable: true }) stoppedReason: string | null;
  @Column({ type: 'int' }) taken: number;
  @Column({ type: 'int' }) released: number;
  @Column({ type: 'int' }) failed: number;
}
