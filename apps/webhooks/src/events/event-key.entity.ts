import { CreateDateColumn, Entity, PrimaryColumn } from 'typeorm';

/** Recognises an event that is published again. */
@Entity('event_keys')
export class EventKey {
  @PrimaryColumn({ type: 'uuid' }) key: string;
  @CreateDateColumn({ name: 'created_at', type: 'timestamptz' }) createdAt: Date;
}
