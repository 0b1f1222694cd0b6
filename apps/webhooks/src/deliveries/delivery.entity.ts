import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A finished delivery. The table is partitioned by id. */
@Entity('deliveries')
export class Delivery {
  @PrimaryColumn({ type: 'text' }) id: string;
  @Column({ name: 'account_id', type: 'text' }) accountId: string;
  @Column({ name: 'endpoint_id', type: 'text' }) endpointId: string;
  @Column({ name: 'event_id', type: 'text' }) eventId: string;
  @Column({ type: 'text' }) state: string;
  @Column({ name: 'attempts_made', type: 'int' }) attemptsMade: number;
  @Column({ name: 'replay_id', type: 'text', nullable: true }) replayId: string | null;
  @Column({ name: 'replayed_as', type: 'text', nullable: true }) replayedAs: string | null;
  @Column({ name: 'created_at', type: 'timestamptz' }) createdAt: Date;
  @Column({ name: 'finished_at', type: 'timestamptz' }) finishedAt: Date;
}
