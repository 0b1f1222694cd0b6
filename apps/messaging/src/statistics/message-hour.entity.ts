import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Messages by hour and state, maintained by triggers on messages. */
@Entity('message_hours')
export class MessageHour {
  @PrimaryColumn({ name: 'account_id', type: 'text' }) accountId: string;
  @PrimaryColumn({ type: 'timestamptz' }) hour: Date;
  @PrimaryColumn({ type: 'text' }) state: string;
  @PrimaryColumn({ type: 'smallint' }) slot: number;
  @Column({ type: 'bigint' }) total: string;
}
