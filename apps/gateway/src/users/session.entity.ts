import { Column, CreateDateColumn, Entity, PrimaryColumn } from 'typeorm';

/** Signed-in session of a browser. */
@Entity('sessions')
export class Session {
  @PrimaryColumn({ type: 'text' }) id: string;
  @Column({ name: 'token_sha256', type: 'bytea' }) tokenSha256: Buffer;
  @Column({ name: 'account_id', type: 'text' }) accountId: string;
  @Column({ name: 'user_id', type: 'text' }) userId: string;
  @CreateDateColumn({ name: 'created_at', type: 'timestamptz' }) createdAt: Date;
  @Column({ name: 'seen_at', type: 'timestamptz' }) seenAt: Date;
  @Column({ name: 'expires_at', type: 'timestamptz' }) expiresAt: Date;
  @Column({ type: 'text', nullable: true }) address: string | null;
  @Column({ name: 'user_agent', type: 'text', nullable: true }) userAgent: string | null;
}
