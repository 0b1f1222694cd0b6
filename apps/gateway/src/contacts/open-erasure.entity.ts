import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Incomplete erasure of a contact's data. */
@Entity('erasures')
export class OpenErasure {
  @PrimaryColumn({ name: 'account_id', type: 'text' }) accountId: string;
  @PrimaryColumn({ type: 'text' }) phone: string;
  @Column({ type: 'text', array: true }) names: string[];
  @Column({ name: 'after_callback', type: 'text' }) afterCallback: string;
  @Column({ name: 'begun_at', type: 'timestamptz' }) begunAt: Date;
}
