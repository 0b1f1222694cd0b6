import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Recent sends to one prefix, a range of phone numbers. */
@Entity('prefixes')
export class Prefix {
  @PrimaryColumn({ name: 'account_id', type: 'text' }) accountId: string;
  @PrimaryColumn({ type: 'text' }) prefix: string;
  @Column({ name: 'sent_at', type: 'timestamptz', array: true }) sentAt: Date[];
  @Column({ name: 'touched_at', type: 'timestamptz' }) touchedAt: Date;
}
