import { Column, Entity, PrimaryColumn } from 'typeorm';

/** An edit or deletion that may arrive before its message. */
@Entity('message_changes')
export class MessageChange {
  @PrimaryColumn({ name: 'number_id', type: 'text' }) numberId: string;
  @PrimaryColumn({ name: 'upstream_id', type: 'text' }) upstreamId: string;
  @Column({ name: 'account_id', type: 'text' }) accountId: string;
  @Column({ name: 'contact_id', type: 'text' }) contactId: string;
  @Column({ name: 'original_id', type: 'text' }) originalId: string;
  @Column({ type: 'boolean' }) deletes: boolean;
  @Column({ type: 'text', nullable: true }) type: string | null;
  @Column({ type: 'jsonb', nullable: true }) content: unknown;
  @Column({ type: 'timestamptz' }) at: Date;
  /** Assigned by the database. */
  @Column({ type: 'bigint', insert: false, update: false }) position: string;
  @Column({ name: 'received_at', type: 'timestamptz' }) receivedAt: Date;
  @Column({ type: 'text' }) direction: string;
}
