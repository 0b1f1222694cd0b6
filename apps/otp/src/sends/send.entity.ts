import { Column, Entity, PrimaryColumn } from 'typeorm';

@Entity('sends')
export class Send {
  @PrimaryColumn({ name: 'message_id', type: 'text' }) messageId: string;
  @Column({ name: 'account_id', type: 'text' }) accountId: string;
  @Column({ type: 'text' }) phone: string;
  @Column({ type: 'int' }) attempt: number;
  @Column({ type: 'text' }) state: string;
  @Column({ name: 'began_at', type: 'timestamptz' }) beganAt: Date;
  @Column({ name: 'expires_at', type: 'timestamptz' }) expiresAt: Date;
  @Column({ name: 'due_at', type: 'timestamptz' }) dueAt: Date;
  @Column({ name: 'upstream_id', type: 'text', nullable: true }) upstreamId: string | null;
  @Column({ type: 'jsonb', nullable: true }) refusal: unknown;
  @Column({ name: 'settled_at', type: 'timestamptz', nullable: true }) settledAt: Date | null;
  @Column({ name: 'undelivered_at', type: 'timestamptz', nullable: true }) undeliveredAt: Date | null;
}
