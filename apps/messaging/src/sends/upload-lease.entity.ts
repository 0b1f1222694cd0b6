import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Upload of a file to the platform by one process. */
@Entity('upload_leases')
export class UploadLease {
  @PrimaryColumn({ name: 'number_id', type: 'text' }) numberId: string;
  @PrimaryColumn({ type: 'text' }) sha256: string;
  @PrimaryColumn({ name: 'mime_type', type: 'text' }) mimeType: string;
  @Column({ type: 'text' }) owner: string;
  @Column({ name: 'held_until', type: 'timestamptz' }) heldUntil: Date;
}
