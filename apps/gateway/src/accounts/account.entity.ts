import { Column, CreateDateColumn, Entity, PrimaryColumn } from 'typeorm';

@Entity('accounts')
export class Account {
  @PrimaryColumn({ name: 'id', type: 'text' }) accountId: string;
  @Column({ type: 'text' }) name: string;
  @Column({ type: 'text' }) plan: string;
  @CreateDateColumn({ name: 'created_at', type: 'timestamptz' }) createdAt: Date;
  /** Null while the account is not suspended, as is the reason. */
  @Column({ name: 'suspended_at', type: 'timestamptz', nullable: true }) suspendedAt: Date | null;
  @Column({ name: 'suspended_reason', type: 'text', nullable: true }) suspendedReason: string | null;
  /** IANA time zone of the dashboard. Null: that of each user's browser. */
  @Column({ name: 'time_zone', type: 'text', nullable: true }) timeZone: string | null;
}
