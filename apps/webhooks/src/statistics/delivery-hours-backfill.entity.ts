import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Deliveries with a lower id are still to be counted. One row. */
@Entity('delivery_hours_earlier')
export class DeliveryHoursBackfill {
  @PrimaryColumn({ name: 'only_row', type: 'boolean' }) onlyRow: boolean;
  @Column({ type: 'text' }) below: string;
}
