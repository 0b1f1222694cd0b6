import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A message that was handled, so that a repeated delivery is recognised. */
@Entity('inbox')
export class InboxMessage {
  @PrimaryColumn({ name: 'message_id', type: 'text' }) messageId: string;
  @Column({ name: 'handled_at', type: 'timestamptz' }) handledAt: Date;
}
