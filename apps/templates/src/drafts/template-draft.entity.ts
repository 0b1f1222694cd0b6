import { Column, CreateDateColumn, Entity, PrimaryColumn, UpdateDateColumn } from 'typeorm';

/** A change of a template that is being written or submitted. */
@Entity('template_drafts')
export class TemplateDraft {
  @PrimaryColumn({ name: 'account_id', type: 'text' }) accountId: string;
  @PrimaryColumn({ type: 'text' }) id: string;
  @Column({ name: 'waba_id', type: 'text' }) wabaId: string;
  @Column({ type: 'text' }) kind: string;
  @Column({ name: 'template_id', type: 'text', nullable: true }) templateId: string | null;
  @Column({ type: 'text' }) name: string;
  @Column({ type: 'text' }) language: string;
  @Column({ type: 'text' }) category: string;
  @Column({ type: 'json' }) components: unknown;
  @Column({ name: 'ttl_seconds', type: 'int', nullable: true }) ttlSeconds: number | null;
  @Column({ type: 'text' }) state: string;
  @Column({ name: 'due_at', type: 'timestamptz', nullable: true }) dueAt: Date | null;
  @Column({ type: 'int' }) attempts: number;
  @Column({ name: 'may_have_landed', type: 'boolean' }) mayHaveLanded: boolean;
  @Column({ type: 'text', nullable: true }) problem: string | null;
  @CreateDateColumn({ name: 'created_at', type: 'timestamptz' }) createdAt: Date;
  @UpdateDateColumn({ name: 'updated_at', type: 'timestamptz' }) updatedAt: Date;
  @Column({ name: 'submitted_at', type: 'timestamptz', nullable: true }) submittedAt: Date | null;
}
