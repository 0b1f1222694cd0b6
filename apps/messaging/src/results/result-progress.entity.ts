import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Progress of the results of a day. */
@Entity('result_progress')
export class ResultProgress {
  @PrimaryColumn({ name: 'account_id', type: 'text' }) accountId: string;
  @PrimaryColumn({ type: 'date' }) day: string;
  @Column({ name: 'computed_at', type: 'timestamptz', nullable: true }) computedAt: Date | null;
  /** Null if the day is final. */
  @Column({ name: 'due_at', type: 'timestamptz', nullable: true }) dueAt: Date | null;
  @Column({ type: 'int' }) removals: number;
}
