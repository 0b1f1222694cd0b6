import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Progress of a migration of 0.2.0 over the rows from before the triggers. One row, which is no longer read. */
@Entity('message_hours_earlier')
export class MessageHoursBackfill {
  @PrimaryColumn({ name: 'only_row', type: 'boolean' }) onlyRow: boolean;
  @Column({ type: 'text' }) below: string;
}
