import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Messages with a lower id are still to be counted. One row. */
@Entity('price_hours_earlier')
export class PriceHoursBackfill {
  @PrimaryColumn({ name: 'only_row', type: 'boolean' }) onlyRow: boolean;
  @Column({ type: 'text' }) below: string;
}
