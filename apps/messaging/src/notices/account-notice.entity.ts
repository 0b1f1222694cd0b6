import { Column, CreateDateColumn, Entity, PrimaryColumn } from 'typeorm';

/** A notice of the upstream platform about a business account. */
@Entity('account_notices')
export class AccountNotice {
  @PrimaryColumn({ type: 'text' }) id: string;
  @Column({ name: 'account_id', type: 'text' }) accountId: string;
  @Column({ type: 'text' }) fact: string;
  @Column({ name: 'waba_id', type: 'text' }) wabaId: string;
  @Column({ type: 'text' }) notice: string;
  @Column({ type: 'text' }) severity: string;
  @Column({ type: 'text' }) summary: string;
  @Column({ name: 'phone_numbers', type: 'text', array: true }) phoneNumbers: string[];
  @Column({ type: 'jsonb' }) restrictions: unknown;
  @Column({ name: 'messaging_limit', type: 'text', nullable: true }) messagingLimit: string | null;
  @Column({ type: 'jsonb' }) details: unknown;
  @Column({ name: 'occurred_at', type: 'timestamptz' }) occurredAt: Date;
  @CreateDateColumn({ name: 'created_at', type: 'timestamptz' }) createdAt: Date;
}
