import { Column, Entity, PrimaryColumn } from 'typeorm';

/** One recipient of a job. */
@Entity('recipients')
export class Recipient {
  @PrimaryColumn({ name: 'job_id', type: 'text' }) jobId: string;
  @PrimaryColumn({ type: 'int' }) position: number;
  @Column({ name: 'account_id', type: 'text' }) accountId: string;
  @Column({ type: 'text' }) phone: string;
  @Column({ name: 'client_ref', type: 'text', nullable: true }) clientRef: string | null;
  @Column({ type: 'jsonb', nullable: true }) components: unknown;
  @Column({ type: 'text' }) status: string;
  @Column({ name: 'message_id', type: 'text', nullable: true }) messageId: string | null;
  @Column({ name: 'upstream_id', type: 'text', nullable: true }) upstreamId: string | null;
  @Column({ type: 'jsonb', nullable: true }) error: unknown;
  @Column({ type: 'smallint' }) releases: number;
  @Column({ name: 'is_returned', type: 'boolean' }) isReturned: boolean;
  @Column({ name: 'not_before', type: 'timestamptz', nullable: true }) notBefore: Date | null;
  @Column({ name: 'is_lost', type: 'boolean' }) isLost: boolean;
  @Column({ name: 'released_at', type: 'timestamptz', nullable: true }) releasedAt: Date | null;
  @Column({ name: 'accepted_at', type: 'timestamptz', nullable: true }) acceptedAt: Date | null;
  @Column({ name: 'sent_at', type: 'timestamptz', nullable: true }) sentAt: Date | null;
  @Column({ name: 'delivered_at', type: 'timestamptz', nullable: true }) deliveredAt: Date | null;
  @Column({ name: 'read_at', type: 'timestamptz', nullable: true }) readAt: Date | null;
  @Column({ name: 'business_number', type: 'text', nullable: true }) businessNumber: string | null;
  @Column({ name: 'failed_at', type: 'timestamptz', nullable: true }) failedAt: Date | null;
  @Column({ type: 'text', nullable: true }) region: string | null;
  @Column({ name: 'is_waiting', type: 'boolean' }) isWaiting: boolean;
}
