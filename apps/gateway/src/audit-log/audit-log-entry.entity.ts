import { Column, CreateDateColumn, Entity, PrimaryColumn } from 'typeorm';
import type { AuditOutcome } from './audit-log';

/** Recorded change. */
@Entity('audit_log')
export class AuditLogEntry {
  @PrimaryColumn({ name: 'id', type: 'text' }) entryId: string;
  @CreateDateColumn({ name: 'created_at', type: 'timestamptz' }) at: Date;
  @Column({ type: 'text' }) actor: string;
  @Column({ type: 'text' }) action: string;
  @Column({ name: 'account_id', type: 'text', nullable: true }) accountId: string | null;
  @Column({ type: 'text' }) target: string;
  /** Null for entries from before outcomes were recorded. */
  @Column({ type: 'text', nullable: true }) outcome: AuditOutcome | null;
  /** Error code of a rejected change. */
  @Column({ name: 'error_code', type: 'text', nullable: true }) errorCode: string | null;
  @Column({ type: 'jsonb' }) details: object;
}
