import { Column, Entity, PrimaryColumn, UpdateDateColumn } from 'typeorm';

/** A template as last read from the upstream platform. */
@Entity('templates')
export class Template {
  @PrimaryColumn({ name: 'account_id', type: 'text' }) accountId: string;
  @PrimaryColumn({ type: 'text' }) id: string;
  @Column({ name: 'waba_id', type: 'text' }) wabaId: string;
  @Column({ type: 'text' }) name: string;
  @Column({ type: 'text' }) language: string;
  @Column({ type: 'text' }) category: string;
  @Column({ type: 'text' }) status: string;
  @Column({ name: 'upstream_status', type: 'text' }) upstreamStatus: string;
  @Column({ type: 'json' }) components: unknown;
  @Column({ type: 'jsonb' }) raw: unknown;
  @UpdateDateColumn({ name: 'updated_at', type: 'timestamptz' }) updatedAt: Date;
  @Column({ name: 'flag_reason', type: 'text', nullable: true }) flagReason: string | null;
}
