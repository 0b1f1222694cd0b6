import { Column, CreateDateColumn, Entity, PrimaryGeneratedColumn } from 'typeorm';

/** Immutable ledger entry; a correction is a new entry. */
@Entity('credit_ledger')
export class CreditLedgerEntry {
  @PrimaryGeneratedColumn('identity', { type: 'bigint', generatedIdentity: 'ALWAYS' }) id: string;
  @Column({ name: 'account_id', type: 'text' }) accountId: string;
  @Column({ type: 'text' }) category: string;
  @Column({ type: 'bigint' }) amount: string;
  @Column({ type: 'text' }) kind: string;
  @Column({ type: 'text' }) reason: string;
  @CreateDateColumn({ name: 'created_at', type: 'timestamptz' }) createdAt: Date;
  @Column({ name: 'reservation_id', type: 'text', nullable: true }) reservationId: string | null;
  @Column({ name: 'grant_month', type: 'date', nullable: true }) grantMonth: string | null;
}
