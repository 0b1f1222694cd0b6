import { Column, CreateDateColumn, Entity, PrimaryColumn } from 'typeorm';

/** A sample file for the header of a template. */
@Entity('header_samples')
export class HeaderSample {
  @PrimaryColumn({ name: 'account_id', type: 'text' }) accountId: string;
  @PrimaryColumn({ type: 'text' }) id: string;
  @Column({ name: 'mime_type', type: 'text' }) mimeType: string;
  @Column({ type: 'bigint' }) bytes: string;
  @Column({ type: 'text', nullable: true }) filename: string | null;
  @CreateDateColumn({ name: 'created_at', type: 'timestamptz' }) createdAt: Date;
}
