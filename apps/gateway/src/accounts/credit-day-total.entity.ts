import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Credit totals per day, category and kind, maintained by a trigger on the ledger. */
@Entity('credit_days')
export class CreditDayTotal {
  @PrimaryColumn({ name: 'account_id', type: 'text' }) accountId: string;
  @PrimaryColumn({ type: 'text' }) category: string;
  @PrimaryColumn({ type: 'date' }) day: string;
  @PrimaryColumn({ type: 'text' }) kind: string;
  @Column({ type: 'bigint' }) amount: string;
}
