import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Credits per day, category and kind. A trigger on the ledger maintains the totals. */
@Entity('credit_days')
export class CreditDayTotal {
  @PrimaryColumn({ name: 'account_id', type: 'text' }) accountId: string;
  @PrimaryColumn({ type: 'text' }) category: string;
  @PrimaryColumn({ type: 'date' }) day: string;
  @PrimaryColumn({ type: 'text' }) kind: string;
  @Column({ type: 'bigint' }) amount: string;
}
