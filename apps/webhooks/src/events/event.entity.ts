import { Column, CreateDateColumn, Entity, PrimaryColumn } from 'typeorm';

/** An event for an account's endpoints. The table is partitioned by id. */
@Entity('events')
export class Event {
  @PrimaryColumn({ type: 'text' }) id: string;
  @Column({ name: 'account_id', type: 'text' }) accountId: string;
  @Column({ type: 'text' }) kind: string;
  @Column({ name: 'message_id', type: 'text', nullable: true }) messageId: string | null;
  @Column({ type: 'text', nullable: true }) subject: string | null;
  @Column({ type: 'bytea' }) body: Buffer;
  @Column({ type: 'jsonb' }) trace: unknown;
  @Column({ name: 'occurred_at', type: 'timestamptz' }) occurredAt: Date;
  @CreateDateColumn({ name: 'created_at', type: 'timestamptz' }) createdAt: Date;
  @Column({ type: 'text', nullable: true }) status: string | null;
  @Column({ name: 'record_id', type: 'text', nullable: true }) recordId: string | null;
}
