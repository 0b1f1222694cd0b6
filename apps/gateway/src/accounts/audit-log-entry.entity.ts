import { Column, CreateDateColumn, Entity, PrimaryColumn } from 'typeorm';

/** One recorded change of an account. */
@Entity('audit_log')
export class AuditLogEntry {
  @PrimaryColumn({ type: 'text' }) id: string;
  @Column({ type: 'text' }) actor: string;
  @Column({ type: 'text' }) action: string;
  @Column({ name: 'account_id', type: 'text', nullable: true }) accountId: string | null;
  @Column({ type: 'text' }) target: string;
  @Column({ type: 'jsonb' }) details: object;
  @CreateDateColumn({ name: 'created_at', type: 'timestamptz' }) createdAt: Date;
  @Column({ type: 'text', nullable: true }) outcome: string | null;
  @Column({ name: 'error_code', type: 'text', nullable: true }) errorCode: string | null;
}
