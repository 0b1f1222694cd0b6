import type { ResultGrouping } from '@switchboard/contracts';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** What became of the outbound messages of a day, for one value of a dimension. */
@Entity('result_days')
export class ResultDayRow {
  @PrimaryColumn({ name: 'account_id', type: 'text' }) accountId: string;
  @PrimaryColumn({ type: 'text' }) dimension: ResultGrouping;
  @PrimaryColumn({ type: 'date' }) day: string;
  @PrimaryColumn({ type: 'text' }) key: string;
  /** True for messages that were deleted before their day was final. */
  @PrimaryColumn({ type: 'boolean' }) removed: boolean;
  /** Name of the label, or of the template of the job. */
  @Column({ type: 'text' }) name: string;
  @Column({ type: 'int' }) sent: number;
  @Column({ type: 'int' }) delivered: number;
  @Column({ type: 'int' }) read: number;
  @Column({ type: 'int' }) answered: number;
  @Column({ type: 'int' }) pressed: number;
  @Column({ type: 'int' }) failed: number;
  @Column({ type: 'jsonb' }) reasons: Record<string, number>;
  @Column({ type: 'jsonb' }) times: Record<string, number>;
}
