import { CreateDateColumn, Entity, PrimaryColumn } from 'typeorm';

/** Deduplication key of a stored event. */
@Entity('event_keys')
export class EventKey {
  @PrimaryColumn({ type: 'uuid' }) key: string;
  @CreateDateColumn({ name: 'created_at', type: 'timestamptz' }) createdAt: Date;
}
