import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Time since which callbacks have arrived without a gap. The table has one row. */
@Entity('callback_door')
export class CallbackHeartbeat {
  @PrimaryColumn({ name: 'only_row', type: 'boolean' }) onlyRow: boolean;
  @Column({ name: 'open_since', type: 'timestamptz' }) openSince: Date;
  @Column({ name: 'seen_at', type: 'timestamptz' }) seenAt: Date;
}
