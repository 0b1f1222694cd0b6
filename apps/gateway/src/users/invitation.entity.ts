import { Column, CreateDateColumn, Entity, PrimaryColumn } from 'typeorm';
import type { Role } from '../request-context/roles';

/** Invitation link to an account. */
@Entity('invitations')
export class Invitation {
  @PrimaryColumn({ type: 'text' }) id: string;
  @Column({ name: 'token_sha256', type: 'bytea' }) tokenSha256: Buffer;
  @Column({ name: 'account_id', type: 'text' }) accountId: string;
  @Column({ type: 'text' }) email: string;
  @Column({ type: 'text' }) role: Role;
  @Column({ name: 'invited_by', type: 'text' }) invitedBy: string;
  @CreateDateColumn({ name: 'created_at', type: 'timestamptz' }) createdAt: Date;
  @Column({ name: 'expires_at', type: 'timestamptz' }) expiresAt: Date;
}
