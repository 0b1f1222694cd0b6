import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Nothing reads it: how far a migration of 0.2.0 came with rows from before the triggers. One row. */
@Entity('message_hours_earlier')
export class MessageHoursBackfill {
  @PrimaryColumn({ name: 'only_row', type: 'boolean' }) onlyRow: boolean;
  @Column({ type: 'text' }) below: string;
}
