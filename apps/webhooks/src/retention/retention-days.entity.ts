import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Number of days for which the events of an account are stored. */
@Entity('account_retention')
export class RetentionDays {
  @PrimaryColumn({ name: 'account_id', type: 'text' }) accountId: string;
  @Column({ name: 'event_days', type: 'int' }) eventDays: number;
}
