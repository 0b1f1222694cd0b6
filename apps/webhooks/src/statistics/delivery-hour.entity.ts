import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Number of deliveries by hour and state. Triggers on deliveries maintain it. */
@Entity('delivery_hours')
export class DeliveryHour {
  @PrimaryColumn({ name: 'account_id', type: 'text' }) accountId: string;
  @PrimaryColumn({ type: 'timestamptz' }) hour: Date;
  @PrimaryColumn({ type: 'text' }) state: string;
  @PrimaryColumn({ type: 'smallint' }) slot: number;
  @Column({ type: 'bigint' }) total: string;
}
