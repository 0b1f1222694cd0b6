import { Column, CreateDateColumn, Entity, PrimaryColumn, VirtualColumn } from 'typeorm';

export const KEY_STATES = ['active', 'expired', 'revoked'] as const;
export type KeyState = (typeof KEY_STATES)[number];

/**
 * Returns SQL for the state of a key, by the database's clock. The only definition of a key's validity.
 * @param key alias of the table
 */
export const keyState = (key: string): string =>
  `CASE WHEN ${key}.revoked_at IS NOT NULL THEN 'revoked' WHEN ${key}.expires_at <= now() THEN 'expired' ELSE 'active' END`;

/** Returns the SQL condition for a valid key. @param key alias of the table */
export const keyIsActive = (key: string): string => `${keyState(key)} = 'active'`;

/** API key with its restrictions. Columns with `select: false` are read only on request. */
@Entity('api_keys')
export class ApiKey {
  @PrimaryColumn({ name: 'id', type: 'text' }) keyId: string;
  @Column({ name: 'account_id', type: 'text' }) accountId: string;
  @Column({ type: 'text' }) name: string;
  @VirtualColumn({ type: 'text', query: (key) => `SELECT ${keyState(key)}` }) state: KeyState;
  @Column({ type: 'bytea', select: false }) sha256: Buffer;
  @Column({ type: 'text' }) prefix: string;
  @Column({ name: 'last_four', type: 'text' }) lastFour: string;
  @Column({ name: 'allowed_ips', type: 'text', array: true }) allowedIps: string[];
  @Column({ name: 'allowed_routes', type: 'text', array: true }) allowedRoutes: string[];
  @Column({ name: 'expires_at', type: 'timestamptz', nullable: true }) expiresAt: Date | null;
  @Column({ name: 'revoked_at', type: 'timestamptz', nullable: true }) revokedAt: Date | null;
  @Column({ name: 'last_used_at', type: 'timestamptz', nullable: true }) lastUsedAt: Date | null;
  @CreateDateColumn({ name: 'created_at', type: 'timestamptz' }) createdAt: Date;
  @Column({ name: 'client_id', type: 'text', nullable: true, select: false }) clientId: string | null;
}
