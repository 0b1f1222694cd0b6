import type { MessageError, MessageOrigin, MessagePricing } from '@switchboard/contracts';
import { Column, CreateDateColumn, Entity, PrimaryColumn } from 'typeorm';

/**
 * A message in either direction. The table is partitioned by the month of the id. Rows are inserted with SQL (ADR 3):
 * sends and jobs in `sends/send.queries.ts`, others in `sends/open-sends.queries.ts`, `job-messages/unsent.queries.ts`,
 * `callbacks/inbound.queries.ts` and `callbacks/app-messages.queries.ts`.
 */
@Entity('messages')
export class Message {
  @PrimaryColumn({ type: 'text' }) id: string;
  @Column({ name: 'account_id', type: 'text' }) accountId: string;
  @Column({ name: 'number_id', type: 'text' }) numberId: string;
  @Column({ name: 'contact_id', type: 'text', nullable: true }) contactId: string | null;
  @Column({ type: 'text' }) direction: 'inbound' | 'outbound';
  @Column({ type: 'text' }) sender: string;
  @Column({ type: 'text' }) recipient: string;
  @Column({ name: 'profile_name', type: 'text', nullable: true }) profileName: string | null;
  @Column({ name: 'upstream_id', type: 'text', nullable: true }) upstreamId: string | null;
  @Column({ type: 'text' }) type: string;
  @Column({ type: 'jsonb', nullable: true }) content: object | null;
  @Column({ type: 'text', nullable: true }) caption: string | null;
  @Column({ name: 'media_id', type: 'text', nullable: true }) mediaId: string | null;
  @Column({ type: 'jsonb', nullable: true }) upload: unknown;
  @Column({ type: 'text' }) state: string;
  @Column({
    type: 'boolean',
    generatedType: 'STORED',
    asExpression: `(state <> ALL (ARRAY['sending'::text, 'unknown'::text]))`,
  })
  settled: boolean;
  @Column({ type: 'boolean', generatedType: 'STORED', asExpression: `(state = 'failed'::text)` }) failed: boolean;
  @Column({ type: 'jsonb', nullable: true }) error: MessageError | null;
  @Column({ name: 'client_ref', type: 'text', nullable: true }) clientRef: string | null;
  @Column({ name: 'job_id', type: 'text', nullable: true }) jobId: string | null;
  /** User or API key that requested the message. */
  @Column({ name: 'sender_id', type: 'text', nullable: true }) senderId: string | null;
  @Column({ type: 'boolean' }) repeatable: boolean;
  @Column({ name: 'sending_since', type: 'timestamptz', nullable: true }) sendingSince: Date | null;
  @Column({ name: 'send_attempts', type: 'int' }) sendAttempts: number;
  @CreateDateColumn({ name: 'created_at', type: 'timestamptz' }) createdAt: Date;
  @Column({ name: 'received_at', type: 'timestamptz', nullable: true }) receivedAt: Date | null;
  @Column({ name: 'accepted_at', type: 'timestamptz', nullable: true }) acceptedAt: Date | null;
  @Column({ name: 'sent_at', type: 'timestamptz', nullable: true }) sentAt: Date | null;
  @Column({ name: 'delivered_at', type: 'timestamptz', nullable: true }) deliveredAt: Date | null;
  @Column({ name: 'read_at', type: 'timestamptz', nullable: true }) readAt: Date | null;
  @Column({ name: 'failed_at', type: 'timestamptz', nullable: true }) failedAt: Date | null;
  @Column({ type: 'jsonb', nullable: true }) reference: unknown;
  @Column({ name: 'sealed_content', type: 'text', nullable: true }) sealedContent: string | null;
  @Column({ name: 'is_secret', type: 'boolean' }) isSecret: boolean;
  @Column({ type: 'jsonb', nullable: true }) pricing: MessagePricing | null;
  @Column({ name: 'edited_at', type: 'timestamptz', nullable: true }) editedAt: Date | null;
  @Column({ name: 'deleted_at', type: 'timestamptz', nullable: true }) deletedAt: Date | null;
  @Column({ name: 'group_id', type: 'text', nullable: true }) groupId: string | null;
  @Column({ name: 'author_id', type: 'text', nullable: true }) authorId: string | null;
  @Column({ name: 'held_reason', type: 'text', nullable: true }) heldReason: string | null;
  @Column({ type: 'text' }) origin: MessageOrigin;
  @Column({ name: 'send_trace', type: 'text', nullable: true }) sendTrace: string | null;
}
