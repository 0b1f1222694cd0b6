import { Column, CreateDateColumn, Entity, PrimaryGeneratedColumn } from 'typeorm';

/** Amount reserved for a message, until the message is charged or free. Released while the message counts as failed. */
@Entity('spend_reservations')
export class SpendReservation {
  @PrimaryGeneratedColumn('identity', { type: 'bigint', generatedIdentity: 'ALWAYS' }) id: string;
  @Column({ name: 'message_id', type: 'text' }) messageId: string;
  @Column({ name: 'account_id', type: 'text' }) accountId: string;
  @Column({ name: 'job_id', type: 'text' }) jobId: string;
  @Column({ type: 'text' }) month: string;
  @Column({ type: 'numeric' }) amount: string;
  @CreateDateColumn({ name: 'reserved_at', type: 'timestamptz' }) reservedAt: Date;
  @Column({ type: 'numeric', nullable: true }) final: string | null;
  @Column({ name: 'is_failed', type: 'boolean', default: false }) isFailed: boolean;
  @Column({ name: 'is_released', type: 'boolean', default: false }) isReleased: boolean;
  @Column({ name: 'settle_at', type: 'timestamptz' }) settleAt: Date;
}
