import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Link with which a user chooses a new password. */
@Entity('password_resets')
export class PasswordReset {
  @PrimaryColumn({ name: 'user_id', type: 'text' }) userId: string;
  @Column({ name: 'account_id', type: 'text' }) accountId: string;
  @Column({ name: 'token_sha256', type: 'bytea' }) tokenSha256: Buffer;
  @Column({ name: 'created_by', type: 'text' }) createdBy: string;
  @Column({ name: 'expires_at', type: 'timestamptz' }) expiresAt: Date;
}
