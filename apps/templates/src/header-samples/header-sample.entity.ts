import type { HeaderSampleType } from '@switchboard/contracts';
import { Column, CreateDateColumn, Entity, PrimaryColumn } from 'typeorm';

/** A sample file for the header of a template. */
@Entity('header_samples')
export class HeaderSample {
  @PrimaryColumn({ type: 'text' }) id: string;
  @PrimaryColumn({ name: 'account_id', type: 'text', select: false }) accountId: string;
  @Column({ name: 'mime_type', type: 'text' }) mimeType: HeaderSampleType;
  /** The driver returns bigint as a string. */
  @Column({ type: 'bigint', transformer: { to: (bytes: number) => bytes, from: Number } }) bytes: number;
  @Column({ type: 'text', nullable: true }) filename: string | null;
  @CreateDateColumn({ name: 'created_at', type: 'timestamptz' }) createdAt: Date;
}
