import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Release rate of all jobs of one business number. */
@Entity('lanes')
export class Lane {
  @PrimaryColumn({ name: 'account_id', type: 'text' }) accountId: string;
  @PrimaryColumn({ name: 'phone_number', type: 'text' }) phoneNumber: string;
  @Column({ type: 'int' }) throughput: number;
  @Column({ type: 'float8' }) rate: number;
  @Column({ type: 'float8' }) carry: number;
  @Column({ name: 'slowed_at', type: 'timestamptz', nullable: true }) slowedAt: Date | null;
  @Column({ name: 'rest_until', type: 'timestamptz', nullable: true }) restUntil: Date | null;
  @Column({ name: 'round_at', type: 'timestamptz' }) roundAt: Date;
  @Column({ name: 'next_round_at', type: 'timestamptz' }) nextRoundAt: Date;
  @Column({ type: 'text', nullable: true }) turn: string | null;
  @Column({ type: 'text', nullable: true }) portfolio: string | null;
  @Column({ name: 'messaging_limit', type: 'int', nullable: true }) messagingLimit: number | null;
  @Column({ name: 'left_today', type: 'int', nullable: true }) leftToday: number | null;
  @Column({ name: 'limits_at', type: 'timestamptz', nullable: true }) limitsAt: Date | null;
  @Column({ name: 'limits_due_at', type: 'timestamptz', nullable: true }) limitsDueAt: Date | null;
  @Column({ name: 'released_since', type: 'int' }) releasedSince: number;
}
