import { Column, CreateDateColumn, Entity, PrimaryColumn, UpdateDateColumn } from 'typeorm';

/** Spend cap of an account per calendar month (UTC). */
@Entity('spend_caps')
export class SpendCap {
  @PrimaryColumn({ name: 'account_id', type: 'text' }) accountId: string;
  @Column({ type: 'text' }) currency: string;
  @Column({ type: 'numeric' }) amount: string;
  @CreateDateColumn({ name: 'created_at', type: 'timestamptz' }) createdAt: Date;
  @UpdateDateColumn({ name: 'updated_at', type: 'timestamptz' }) updatedAt: Date;
}
