import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The current codes of a phone number and its recent failures. */
@Entity('codes')
export class Code {
  @PrimaryColumn({ name: 'account_id', type: 'text' }) accountId: string;
  @PrimaryColumn({ type: 'text' }) phone: string;
  @Column({ name: 'code_hmac', type: 'bytea', nullable: true }) codeHmac: Buffer | null;
  @Column({ name: 'expires_at', type: 'timestamptz', nullable: true }) expiresAt: Date | null;
  @Column({ name: 'spent_at', type: 'timestamptz', nullable: true }) spentAt: Date | null;
  @Column({ name: 'failed_at', type: 'timestamptz', array: true }) failedAt: Date[];
  @Column({ name: 'last_outcome', type: 'text', nullable: true }) lastOutcome: string | null;
  /** A composite type, which TypeORM cannot express. */
  @Column({ type: 'enum', enumName: 'issued_code', array: true }) issued: unknown[];
  @Column({ name: 'sent_at', type: 'timestamptz', array: true }) sentAt: Date[];
  @Column({ name: 'touched_at', type: 'timestamptz' }) touchedAt: Date;
  @Column({ name: 'verified_hmac', type: 'bytea', nullable: true }) verifiedHmac: Buffer | null;
  @Column({ name: 'verified_by', type: 'text', nullable: true }) verifiedBy: string | null;
  @Column({ name: 'verified_at', type: 'timestamptz', nullable: true }) verifiedAt: Date | null;
}
