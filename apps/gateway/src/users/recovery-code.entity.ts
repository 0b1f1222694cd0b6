import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Recovery code of a second factor. */
@Entity('recovery_codes')
export class RecoveryCode {
  @PrimaryColumn({ name: 'user_id', type: 'text' }) userId: string;
  @Column({ name: 'account_id', type: 'text' }) accountId: string;
  @PrimaryColumn({ name: 'code_hmac', type: 'bytea' }) codeHmac: Buffer;
  @Column({ name: 'used_at', type: 'timestamptz', nullable: true }) usedAt: Date | null;
}
