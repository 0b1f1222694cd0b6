import { Column, CreateDateColumn, Entity, PrimaryColumn } from 'typeorm';

/** First request with an Idempotency-Key, and its response. */
@Entity('idempotency')
export class IdempotencyRecord {
  @PrimaryColumn({ name: 'client_id', type: 'text' }) clientId: string;
  @PrimaryColumn({ type: 'text' }) route: string;
  @PrimaryColumn({ type: 'text' }) key: string;
  @Column({ type: 'bytea' }) fingerprint: Buffer;
  @Column({ type: 'bytea' }) seed: Buffer;
  @Column({ name: 'seeded_at', type: 'timestamptz' }) seededAt: Date;
  @Column({ type: 'text', nullable: true }) owner: string | null;
  @Column({ name: 'leased_until', type: 'timestamptz', nullable: true }) leasedUntil: Date | null;
  @Column({ type: 'int', nullable: true }) status: number | null;
  @Column({ type: 'text', nullable: true }) body: string | null;
  @CreateDateColumn({ name: 'created_at', type: 'timestamptz' }) createdAt: Date;
}
