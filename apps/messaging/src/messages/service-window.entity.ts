import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Time at which a contact last wrote to a number. */
@Entity('service_windows')
export class ServiceWindow {
  @PrimaryColumn({ name: 'number_id', type: 'text' }) numberId: string;
  @PrimaryColumn({ name: 'contact_id', type: 'text' }) contactId: string;
  @Column({ name: 'account_id', type: 'text' }) accountId: string;
  @Column({ name: 'last_inbound_at', type: 'timestamptz' }) lastInboundAt: Date;
}
