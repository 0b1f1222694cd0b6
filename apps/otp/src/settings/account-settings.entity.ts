import { Column, Entity, PrimaryColumn, UpdateDateColumn } from 'typeorm';

/** One-time password settings of an account. Null means the default. */
@Entity('account_settings')
export class AccountSettings {
  @PrimaryColumn({ name: 'account_id', type: 'text' }) accountId: string;
  @Column({ name: 'template_name', type: 'text', nullable: true }) templateName: string | null;
  @Column({ name: 'template_language', type: 'text', nullable: true }) templateLanguage: string | null;
  @Column({ type: 'text', array: true, nullable: true }) countries: string[] | null;
  @Column({ name: 'sends_per_prefix', type: 'int', nullable: true }) sendsPerPrefix: number | null;
  @UpdateDateColumn({ name: 'updated_at', type: 'timestamptz' }) updatedAt: Date;
}
