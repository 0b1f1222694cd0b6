import { Column, CreateDateColumn, Entity, PrimaryGeneratedColumn } from 'typeorm';

/** Message that is published once the transaction that wrote it has committed. */
@Entity('outbox')
export class OutboxMessage {
  @PrimaryGeneratedColumn('identity', { type: 'bigint', generatedIdentity: 'ALWAYS' }) id: string;
  @Column({ name: 'message_id', type: 'text' }) messageId: string;
  @Column({ type: 'text' }) kind: string;
  @Column({ type: 'text' }) name: string;
  @Column({ type: 'text' }) body: string;
  @Column({ type: 'jsonb' }) headers: unknown;
  @Column({ name: 'delay_seconds', type: 'int', nullable: true }) delaySeconds: number | null;
  @Column({ type: 'int' }) attempts: number;
  @CreateDateColumn({ name: 'created_at', type: 'timestamptz' }) createdAt: Date;
}
