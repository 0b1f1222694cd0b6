import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Number of messages by hour and price. Triggers on messages maintain it. */
@Entity('price_hours')
export class PriceHour {
  @PrimaryColumn({ name: 'account_id', type: 'text' }) accountId: string;
  @PrimaryColumn({ type: 'timestamptz' }) hour: Date;
  @PrimaryColumn({ type: 'text' }) category: string;
  @PrimaryColumn({ type: 'text' }) type: string;
  @PrimaryColumn({ type: 'text' }) billable: string;
  @PrimaryColumn({ type: 'smallint' }) slot: number;
  @Column({ type: 'bigint' }) total: string;
}
