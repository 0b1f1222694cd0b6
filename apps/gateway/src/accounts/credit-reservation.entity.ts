import { Column, CreateDateColumn, Entity, PrimaryColumn } from 'typeorm';

/** Credits reserved for a message whose outcome is unknown. */
@Entity('credit_reservations')
export class CreditReservation {
  @PrimaryColumn({ type: 'text' }) id: string;
  @Column({ name: 'account_id', type: 'text' }) accountId: string;
  @Column({ type: 'text' }) category: string;
  @Column({ type: 'int' }) amount: number;
  @Column({ type: 'text' }) state: string;
  @Column({ name: 'held_until', type: 'timestamptz' }) heldUntil: Date;
  @CreateDateColumn({ name: 'created_at', type: 'timestamptz' }) createdAt: Date;
  @Column({ name: 'ended_at', type: 'timestamptz', nullable: true }) endedAt: Date | null;
}
