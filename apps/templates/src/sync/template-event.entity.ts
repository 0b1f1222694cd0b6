import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';

/** A template change that the upstream platform reported. */
@Entity('template_events')
export class TemplateEvent {
  @PrimaryGeneratedColumn('identity', { type: 'bigint', generatedIdentity: 'ALWAYS' }) id: string;
  @Column({ name: 'account_id', type: 'text' }) accountId: string;
  @Column({ name: 'waba_id', type: 'text' }) wabaId: string;
  @Column({ name: 'template_id', type: 'text', nullable: true }) templateId: string | null;
  @Column({ name: 'callback_field', type: 'text', nullable: true }) callbackField: string | null;
  @Column({ name: 'previous_status', type: 'text', nullable: true }) previousStatus: string | null;
  @Column({ type: 'text', nullable: true }) status: string | null;
  @Column({ type: 'text', nullable: true }) reason: string | null;
  @Column({ type: 'jsonb' }) raw: unknown;
  @Column({ type: 'timestamptz' }) at: Date;
  @Column({ name: 'upstream_status', type: 'text', nullable: true }) upstreamStatus: string | null;
  @Column({ name: 'previous_category', type: 'text', nullable: true }) previousCategory: string | null;
  @Column({ type: 'text', nullable: true }) category: string | null;
  @Column({ name: 'answered_at', type: 'timestamptz', nullable: true }) answeredAt: Date | null;
}
