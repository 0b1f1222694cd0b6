import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Upstream callback, stored until messaging has processed it. */
@Entity('callback_inbox')
export class StoredCallback {
  @PrimaryColumn({ type: 'text' }) id: string;
  @Column({ type: 'bytea' }) body: Buffer;
  @Column({ name: 'received_at', type: 'timestamptz' }) receivedAt: Date;
}
