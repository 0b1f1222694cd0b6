import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Progress of a backfill in 0.2.0, for rows from before the triggers. Has a single row that no code reads. */
@Entity('delivery_hours_earlier')
export class DeliveryHoursBackfill {
  @PrimaryColumn({ name: 'only_row', type: 'boolean' }) onlyRow: boolean;
  @Column({ type: 'text' }) below: string;
}
