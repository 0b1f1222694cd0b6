import { Column, CreateDateColumn, Entity, PrimaryColumn, UpdateDateColumn } from 'typeorm';

/** Rate of the installation's rate card, which all accounts share. All rates have the same currency. */
@Entity('rates')
export class Rate {
  @PrimaryColumn({ type: 'text' }) market: string;
  @PrimaryColumn({ type: 'text' }) category: string;
  @PrimaryColumn({ name: 'valid_from', type: 'date' }) validFrom: string;
  @Column({ type: 'text' }) currency: string;
  @Column({ type: 'numeric' }) amount: string;
  @Column({ type: 'text' }) source: string;
  @CreateDateColumn({ name: 'created_at', type: 'timestamptz' }) createdAt: Date;
  @UpdateDateColumn({ name: 'updated_at', type: 'timestamptz' }) updatedAt: Date;
}
