import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Progress of a migration of 0.2.0 over rows from before the triggers. One row; no code reads it. */
@Entity('delivery_hours_earlier')
export class DeliveryHoursBackfill {
  @PrimaryColumn({ name: 'only_row', type: 'boolean' }) onlyRow: boolean;
  @Column({ type: 'text' }) below: string;
}
