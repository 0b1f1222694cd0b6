import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A callback for a number that belongs to no account. */
@Entity('unowned_callbacks')
export class UnroutableCallback {
  @PrimaryColumn({ type: 'text' }) id: string;
  @Column({ name: 'phone_number_id', type: 'text' }) phoneNumberId: string;
  @Column({ type: 'jsonb' }) body: unknown;
  @Column({ name: 'received_at', type: 'timestamptz' }) receivedAt: Date;
}
