import { Column, CreateDateColumn, Entity, PrimaryColumn } from 'typeorm';

/** An API key: its hash, and what it may do. */
@Entity('api_keys')
export class ApiKey {
  @PrimaryColumn({ name: 'id', type: 'text' }) keyId: string;
  @Column({ name: 'account_id', type: 'text' }) accountId: string;
  @Column({ type: 'text' }) name: string;
  @Column({ type: 'bytea' }) sha256: Buffer;
  @Column({ type: 'text' }) prefix: string;
  @Column({ name: 'last_four', type: 'text' }) lastFour: string;
  @Column({ name: 'allowed_ips', type: 'text', array: true }) allowedIps: string[];
  @Column({ name: 'allowed_routes', type: 'text', array: true }) allowedRoutes: string[];
  @Column({ name: 'expires_at', type: 'timestamptz', nullable: true }) expiresAt: Date | null;
  @Column({ name: 'revoked_at', type: 'timestamptz', nullable: true }) revokedAt: Date | null;
  @Column({ name: 'last_used_at', type: 'timestamptz', nullable: true }) lastUsedAt: Date | null;
  @CreateDateColumn({ name: 'created_at', type: 'timestamptz' }) createdAt: Date;
  @Column({ name: 'client_id', type: 'text', nullable: true }) clientId: string | null;
}
