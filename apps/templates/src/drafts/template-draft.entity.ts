import type { TemplateDraftKind, TemplateDraftState } from '@switchboard/contracts';
import type { Json } from '@switchboard/template-rules';
import { Column, CreateDateColumn, Entity, PrimaryColumn, UpdateDateColumn } from 'typeorm';

/** A draft of a new or changed template. Queries omit the columns that only the submission needs. */
@Entity('template_drafts')
export class TemplateDraft {
  @PrimaryColumn({ type: 'text' }) id: string;
  @PrimaryColumn({ name: 'account_id', type: 'text', select: false }) accountId: string;
  @Column({ name: 'waba_id', type: 'text' }) wabaId: string;
  @Column({ type: 'text' }) kind: TemplateDraftKind;
  @Column({ name: 'template_id', type: 'text', nullable: true }) templateId: string | null;
  @Column({ type: 'text' }) name: string;
  @Column({ type: 'text' }) language: string;
  @Column({ type: 'text' }) category: string;
  @Column({ type: 'json' }) components: Json[];
  @Column({ name: 'ttl_seconds', type: 'int', nullable: true }) ttlSeconds: number | null;
  @Column({ type: 'text' }) state: TemplateDraftState;
  @Column({ name: 'due_at', type: 'timestamptz', nullable: true, select: false }) dueAt: Date | null;
  @Column({ type: 'int', select: false }) attempts: number;
  @Column({ name: 'may_have_landed', type: 'boolean', select: false }) mayHaveLanded: boolean;
  @Column({ type: 'text', nullable: true }) problem: string | null;
  @CreateDateColumn({ name: 'created_at', type: 'timestamptz' }) createdAt: Date;
  @UpdateDateColumn({ name: 'updated_at', type: 'timestamptz' }) updatedAt: Date;
  @Column({ name: 'submitted_at', type: 'timestamptz', nullable: true }) submittedAt: Date | null;
}
