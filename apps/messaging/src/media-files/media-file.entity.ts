import { Column, CreateDateColumn, Entity, PrimaryColumn } from 'typeorm';

/** Uploaded file that messages can refer to. */
@Entity('media_files')
export class MediaFile {
  @PrimaryColumn({ type: 'text' }) id: string;
  @Column({ name: 'account_id', type: 'text' }) accountId: string;
  @Column({ type: 'text' }) type: string;
  @Column({ name: 'mime_type', type: 'text' }) mimeType: string;
  @Column({ type: 'bigint' }) bytes: string;
  @Column({ type: 'text' }) sha256: string;
  @Column({ name: 'file_name', type: 'text', nullable: true }) fileName: string | null;
  @Column({ name: 'blob_key', type: 'text' }) blobKey: string;
  @CreateDateColumn({ name: 'created_at', type: 'timestamptz' }) createdAt: Date;
  @Column({ name: 'last_used_at', type: 'timestamptz', nullable: true }) lastUsedAt: Date | null;
  @Column({ name: 'retained_from', type: 'timestamptz' }) retainedFrom: Date;
  @Column({ name: 'deleted_at', type: 'timestamptz', nullable: true }) deletedAt: Date | null;
}
