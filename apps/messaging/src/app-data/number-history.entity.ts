import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Import of the chat history of a number. */
@Entity('number_histories')
export class NumberHistory {
  @PrimaryColumn({ name: 'number_id', type: 'text' }) numberId: string;
  @Column({ name: 'account_id', type: 'text' }) accountId: string;
  @Column({ type: 'int', nullable: true }) phase: number | null;
  @Column({ type: 'int', nullable: true }) progress: number | null;
  @Column({ name: 'reported_at', type: 'timestamptz', nullable: true }) reportedAt: Date | null;
  @Column({ name: 'declined_at', type: 'timestamptz', nullable: true }) declinedAt: Date | null;
}
