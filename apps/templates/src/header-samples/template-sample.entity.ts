import { Column, CreateDateColumn, Entity, PrimaryColumn } from 'typeorm';

/** Position of the template's own header, beside the indexes of its cards. */
export const HEADER = -1;

/** A header or card of a template that was submitted with a stored sample. The sample is retained with the template. */
@Entity('template_samples')
export class TemplateSample {
  @PrimaryColumn({ name: 'account_id', type: 'text' }) accountId: string;
  @PrimaryColumn({ name: 'template_id', type: 'text' }) templateId: string;
  /** Index of the card, or `HEADER`. */
  @PrimaryColumn({ type: 'int' }) card: number;
  @Column({ name: 'sample_id', type: 'text' }) sampleId: string;
  @CreateDateColumn({ name: 'created_at', type: 'timestamptz' }) createdAt: Date;
}
