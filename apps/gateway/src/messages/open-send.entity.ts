import { Column, CreateDateColumn, Entity, PrimaryColumn } from 'typeorm';

/** Send that the gateway accepted and messaging has not confirmed. */
@Entity('open_sends')
export class OpenSend {
  @PrimaryColumn({ name: 'message_id', type: 'text' }) messageId: string;
  @Column({ name: 'account_id', type: 'text' }) accountId: string;
  @Column({ type: 'jsonb' }) command: unknown;
  @CreateDateColumn({ name: 'created_at', type: 'timestamptz' }) createdAt: Date;
}
