import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A business account whose templates are synchronised. */
@Entity('upstream_accounts')
export class UpstreamAccount {
  @PrimaryColumn({ name: 'account_id', type: 'text' }) accountId: string;
  @PrimaryColumn({ name: 'waba_id', type: 'text' }) wabaId: string;
  @Column({ name: 'sealed_access_token', type: 'text' }) sealedAccessToken: string;
  @Column({ name: 'next_sync_at', type: 'timestamptz' }) nextSyncAt: Date;
  @Column({ name: 'last_synced_at', type: 'timestamptz', nullable: true }) lastSyncedAt: Date | null;
  @Column({ name: 'token_stored_at', type: 'timestamptz', nullable: true }) tokenStoredAt: Date | null;
  @Column({ name: 'sync_requested_at', type: 'timestamptz', nullable: true }) syncRequestedAt: Date | null;
  @Column({ name: 'reading_since', type: 'timestamptz', nullable: true }) readingSince: Date | null;
  @Column({ name: 'pages_read', type: 'int' }) pagesRead: number;
  @Column({ name: 'templates_read', type: 'int' }) templatesRead: number;
  @Column({ type: 'int' }) failures: number;
  @Column({ name: 'failed_at', type: 'timestamptz', nullable: true }) failedAt: Date | null;
  @Column({ type: 'text', nullable: true }) problem: string | null;
  @Column({ name: 'rest_until', type: 'timestamptz', nullable: true }) restUntil: Date | null;
  @Column({ name: 'left_at', type: 'timestamptz', nullable: true }) leftAt: Date | null;
}
