import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Sign-in with a verified password that still requires the second factor. */
@Entity('half_sessions')
export class HalfSession {
  @PrimaryColumn({ name: 'token_sha256', type: 'bytea' }) tokenSha256: Buffer;
  @Column({ name: 'account_id', type: 'text' }) accountId: string;
  @Column({ name: 'user_id', type: 'text' }) userId: string;
  @Column({ name: 'expires_at', type: 'timestamptz' }) expiresAt: Date;
}
