import { Column, CreateDateColumn, Entity, PrimaryColumn } from 'typeorm';

@Entity('media')
export class Media {
  @PrimaryColumn({ type: 'text' }) id: string;
  @Column({ name: 'account_id', type: 'text' }) accountId: string;
  @Column({ name: 'message_id', type: 'text' }) messageId: string;
  @Column({ name: 'number_id', type: 'text' }) numberId: string;
  @Column({ name: 'upstream_media_id', type: 'text' }) upstreamMediaId: string;
  @Column({ name: 'mime_type', type: 'text' }) mimeType: string;
  @Column({ type: 'text', nullable: true }) sha256: string | null;
  @Column({ type: 'bigint', nullable: true }) bytes: string | null;
  @Column({ type: 'text', nullable: true }) filename: string | null;
  @Column({ name: 'blob_key', type: 'text' }) blobKey: string;
  @Column({ type: 'text' }) state: string;
  @Column({ type: 'int' }) attempts: number;
  @Column({ name: 'next_attempt_at', type: 'timestamptz' }) nextAttemptAt: Date;
  @Column({ type: 'text', nullable: true }) error: string | null;
  @CreateDateColumn({ name: 'created_at', type: 'timestamptz' }) createdAt: Date;
  @Column({ name: 'stored_at', type: 'timestamptz', nullable: true }) storedAt: Date | null;
  @Column({ name: 'removed_at', type: 'timestamptz', nullable: true }) removedAt: Date | null;
}
