import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A status whose message is not stored yet. */
@Entity('parked_statuses')
export class PendingStatus {
  @PrimaryColumn({ type: 'text' }) id: string;
  @Column({ name: 'account_id', type: 'text' }) accountId: string;
  @Column({ name: 'number_id', type: 'text' }) numberId: string;
  @Column({ name: 'upstream_id', type: 'text' }) upstreamId: string;
  @Column({ type: 'jsonb' }) body: unknown;
  @Column({ name: 'received_at', type: 'timestamptz' }) receivedAt: Date;
  @Column({ name: 'next_try_at', type: 'timestamptz' }) nextTryAt: Date;
}
