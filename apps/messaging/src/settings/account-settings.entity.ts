import { Column, Entity, PrimaryColumn, UpdateDateColumn } from 'typeorm';

/** Messaging settings of an account. Null means the default. */
@Entity('account_settings')
export class AccountSettings {
  @PrimaryColumn({ name: 'account_id', type: 'text' }) accountId: string;
  @Column({ name: 'window_policy', type: 'text' }) windowPolicy: string;
  @Column({ name: 'opt_out_words', type: 'text', array: true, nullable: true }) optOutWords: string[] | null;
  @Column({ name: 'opt_in_words', type: 'text', array: true, nullable: true }) optInWords: string[] | null;
  @Column({ name: 'message_days', type: 'int', nullable: true }) messageDays: number | null;
  @Column({ name: 'media_days', type: 'int', nullable: true }) mediaDays: number | null;
  @UpdateDateColumn({ name: 'updated_at', type: 'timestamptz' }) updatedAt: Date;
  @Column({ name: 'marketing_endpoint', type: 'boolean' }) marketingEndpoint: boolean;
}
