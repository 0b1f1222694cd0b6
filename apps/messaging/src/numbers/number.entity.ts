import { Column, CreateDateColumn, Entity, PrimaryColumn, UpdateDateColumn } from 'typeorm';

@Entity('numbers')
export class BusinessNumber {
  @PrimaryColumn({ type: 'text' }) id: string;
  @Column({ name: 'account_id', type: 'text' }) accountId: string;
  @Column({ name: 'phone_number', type: 'text' }) phoneNumber: string;
  @Column({ name: 'phone_number_id', type: 'text' }) phoneNumberId: string;
  @Column({ name: 'waba_id', type: 'text' }) wabaId: string;
  @Column({ name: 'sealed_access_token', type: 'text' }) sealedAccessToken: string;
  @Column({ name: 'quality_rating', type: 'text', nullable: true }) qualityRating: string | null;
  @Column({ name: 'messaging_limit', type: 'text', nullable: true }) messagingLimit: string | null;
  @Column({ type: 'text' }) status: string;
  @Column({ name: 'is_primary', type: 'boolean' }) isPrimary: boolean;
  @CreateDateColumn({ name: 'created_at', type: 'timestamptz' }) createdAt: Date;
  @UpdateDateColumn({ name: 'updated_at', type: 'timestamptz' }) updatedAt: Date;
  @Column({ name: 'poll_due_at', type: 'timestamptz' }) pollDueAt: Date;
  @Column({ name: 'poll_failures', type: 'int' }) pollFailures: number;
  @Column({ name: 'stopped_at', type: 'timestamptz', nullable: true }) stoppedAt: Date | null;
  @Column({ name: 'stopped_reason', type: 'text', nullable: true }) stoppedReason: string | null;
  @Column({ name: 'throughput_level', type: 'text', nullable: true }) throughputLevel: string | null;
  @Column({ name: 'removed_at', type: 'timestamptz', nullable: true }) removedAt: Date | null;
  @Column({ name: 'last_callback_at', type: 'timestamptz', nullable: true }) lastCallbackAt: Date | null;
  @Column({ name: 'portfolio_id', type: 'text', nullable: true }) portfolioId: string | null;
  @Column({ name: 'display_name', type: 'text', nullable: true }) displayName: string | null;
  @Column({ name: 'marketing_onboarding', type: 'text', nullable: true }) marketingOnboarding: string | null;
}
