import { Column, CreateDateColumn, Entity, PrimaryColumn } from 'typeorm';

/** A contact of an account. One row per contact, whatever business numbers the contact writes to. */
@Entity('contacts')
export class Contact {
  @PrimaryColumn({ type: 'text' }) id: string;
  @Column({ name: 'account_id', type: 'text' }) accountId: string;
  @Column({ type: 'text', nullable: true }) phone: string | null;
  @Column({ name: 'phone_key', type: 'text', nullable: true }) phoneKey: string | null;
  @Column({ name: 'user_id', type: 'text', nullable: true }) userId: string | null;
  @Column({ type: 'text', nullable: true }) name: string | null;
  @Column({ name: 'profile_name', type: 'text', nullable: true }) profileName: string | null;
  @Column({ name: 'opted_out', type: 'boolean' }) optedOut: boolean;
  @Column({ name: 'opted_out_at', type: 'timestamptz', nullable: true }) optedOutAt: Date | null;
  @Column({ name: 'opted_out_source', type: 'text', nullable: true }) optedOutSource: string | null;
  @Column({ name: 'opted_out_detail', type: 'text', nullable: true }) optedOutDetail: string | null;
  @Column({ name: 'marketing_opted_out', type: 'boolean' }) marketingOptedOut: boolean;
  @Column({ name: 'marketing_opted_out_at', type: 'timestamptz', nullable: true }) marketingOptedOutAt: Date | null;
  @Column({ type: 'boolean' }) blocked: boolean;
  @CreateDateColumn({ name: 'created_at', type: 'timestamptz' }) createdAt: Date;
  @Column({ type: 'text', nullable: true }) username: string | null;
  @Column({ name: 'parent_user_id', type: 'text', nullable: true }) parentUserId: string | null;
  @Column({ name: 'app_name', type: 'text', nullable: true }) appName: string | null;
  @Column({ name: 'app_name_at', type: 'timestamptz', nullable: true }) appNameAt: Date | null;
}
