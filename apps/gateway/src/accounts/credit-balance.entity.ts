import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Remaining credits of an account in one category. */
@Entity('credit_balances')
export class CreditBalance {
  @PrimaryColumn({ name: 'account_id', type: 'text' }) accountId: string;
  @PrimaryColumn({ type: 'text' }) category: string;
  @Column({ type: 'bigint' }) balance: string;
}
