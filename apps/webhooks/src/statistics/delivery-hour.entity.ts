import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Deliveries by hour and state, maintained by triggers on deliveries. */
@Entity('delivery_hours')
export class DeliveryHour {
  @PrimaryColumn({ name: 'account_id', type: 'text' }) accountId: string;
  @PrimaryColumn({ type: 'timestamptz' }) hour: Date;
  @PrimaryColumn({ type: 'text' }) state: string;
  @PrimaryColumn({ type: 'smallint' }) slot: number;
  @Column({ type: 'bigint' }) total: string;
}
