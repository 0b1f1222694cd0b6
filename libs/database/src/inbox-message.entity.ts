import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Message that was handled, recorded to detect repeated deliveries. */
@Entity('inbox')
export class InboxMessage {
  @PrimaryColumn({ name: 'message_id', type: 'text' }) messageId: string;
  @Column({ name: 'handled_at', type: 'timestamptz' }) handledAt: Date;
}
