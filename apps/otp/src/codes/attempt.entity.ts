import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The stored result of a verification, so that a repeated request gets the same reply. */
@Entity('attempts')
export class Attempt {
  @PrimaryColumn({ type: 'text' }) id: string;
  @Column({ name: 'account_id', type: 'text' }) accountId: string;
  @Column({ type: 'text' }) outcome: string;
  @Column({ name: 'attempts_remaining', type: 'int' }) attemptsRemaining: number;
  @Column({ name: 'unlocked_at', type: 'timestamptz', nullable: true }) unlockedAt: Date | null;
  @Column({ type: 'timestamptz' }) at: Date;
}
