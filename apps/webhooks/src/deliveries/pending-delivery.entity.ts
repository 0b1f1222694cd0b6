import { Column, CreateDateColumn, Entity, PrimaryColumn } from 'typeorm';

/** A delivery that is due, in flight or waiting for a retry. */
@Entity('pending_deliveries')
export class PendingDelivery {
  @PrimaryColumn({ type: 'text' }) id: string;
  @Column({ name: 'account_id', type: 'text' }) accountId: string;
  @Column({ name: 'endpoint_id', type: 'text' }) endpointId: string;
  @Column({ name: 'event_id', type: 'text' }) eventId: string;
  @Column({ name: 'message_id', type: 'text', nullable: true }) messageId: string | null;
  @Column({ name: 'attempts_made', type: 'int' }) attemptsMade: number;
  @Column({ name: 'next_attempt_at', type: 'timestamptz' }) nextAttemptAt: Date;
  @Column({ name: 'started_at', type: 'timestamptz', nullable: true }) startedAt: Date | null;
  @Column({ name: 'claimed_until', type: 'timestamptz', nullable: true }) claimedUntil: Date | null;
  @Column({ name: 'replay_id', type: 'text', nullable: true }) replayId: string | null;
  @CreateDateColumn({ name: 'created_at', type: 'timestamptz' }) createdAt: Date;
  @Column({ name: 'claimed_by', type: 'int', nullable: true }) claimedBy: number | null;
}
