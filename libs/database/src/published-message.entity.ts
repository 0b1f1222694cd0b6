import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Message that left the outbox, retained for a while (ADR 54). */
@Entity('published')
export class PublishedMessage {
  @PrimaryColumn({ type: 'bigint' }) id: string;
  @Column({ name: 'message_id', type: 'text' }) messageId: string;
  @Column({ type: 'text' }) kind: string;
  @Column({ type: 'text' }) name: string;
  @Column({ type: 'text' }) body: string;
  @Column({ type: 'jsonb' }) headers: unknown;
  @Column({ name: 'delay_seconds', type: 'int', nullable: true }) delaySeconds: number | null;
  @Column({ name: 'published_at', type: 'timestamptz' }) publishedAt: Date;
}
