import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Handled message, recorded to recognize repeated deliveries. */
@Entity('inbox')
export class InboxMessage {
  @PrimaryColumn({ name: 'message_id', type: 'text' }) messageId: string;
  @Column({ name: 'handled_at', type: 'timestamptz' }) handledAt: Date;
}
