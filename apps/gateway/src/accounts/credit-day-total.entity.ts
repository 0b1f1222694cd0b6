import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Credits of one day by category and kind; kept by a trigger on the ledger. */
@Entity('credit_days')
export class CreditDayTotal {
  @PrimaryColumn({ name: 'account_id', type: 'text' }) accountId: string;
  @PrimaryColumn({ type: 'text' }) category: string;
  @PrimaryColumn({ type: 'date' }) day: string;
  @PrimaryColumn({ type: 'text' }) kind: string;
  @Column({ type: 'bigint' }) amount: string;
}
