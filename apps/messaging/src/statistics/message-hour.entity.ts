import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Number of messages by hour and state. Triggers on messages maintain it. */
@Entity('message_hours')
export class MessageHour {
  @PrimaryColumn({ name: 'account_id', type: 'text' }) accountId: string;
  @PrimaryColumn({ type: 'timestamptz' }) hour: Date;
  @PrimaryColumn({ type: 'text' }) state: string;
  @PrimaryColumn({ type: 'smallint' }) slot: number;
  @Column({ type: 'bigint' }) total: string;
}
