import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Retention of an account's events, in days. */
@Entity('account_retention')
export class RetentionDays {
  @PrimaryColumn({ name: 'account_id', type: 'text' }) accountId: string;
  @Column({ name: 'event_days', type: 'int' }) eventDays: number;
}
