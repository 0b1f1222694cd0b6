import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Conversation with one contact. A trigger on messages maintains it. */
@Entity('conversations')
export class Conversation {
  @PrimaryColumn({ name: 'contact_id', type: 'text' }) contactId: string;
  @Column({ name: 'account_id', type: 'text' }) accountId: string;
  @Column({ name: 'last_message_id', type: 'text' }) lastMessageId: string;
  @Column({ name: 'last_answer_id', type: 'text' }) lastAnswerId: string;
  @Column({ name: 'last_inbound_at', type: 'timestamptz', nullable: true }) lastInboundAt: Date | null;
  @Column({ name: 'message_count', type: 'int' }) messageCount: number;
  @Column({ name: 'unread_count', type: 'int' }) unreadCount: number;
  /** First inbound message since the newest answer. Null when the conversation is answered or done. */
  @Column({ name: 'waiting_id', type: 'text', nullable: true }) waitingId: string | null;
  @Column({ type: 'boolean' }) done: boolean;
  /** User who is responsible for the conversation. */
  @Column({ name: 'assignee_id', type: 'text', nullable: true }) assigneeId: string | null;
}
