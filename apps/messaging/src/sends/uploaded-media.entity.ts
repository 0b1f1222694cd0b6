import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A file that the upstream platform has already received. */
@Entity('uploaded_media')
export class UploadedMedia {
  @PrimaryColumn({ name: 'number_id', type: 'text' }) numberId: string;
  @PrimaryColumn({ type: 'text' }) sha256: string;
  @PrimaryColumn({ name: 'mime_type', type: 'text' }) mimeType: string;
  @Column({ name: 'upstream_media_id', type: 'text' }) upstreamMediaId: string;
  @Column({ name: 'expires_at', type: 'timestamptz' }) expiresAt: Date;
}
