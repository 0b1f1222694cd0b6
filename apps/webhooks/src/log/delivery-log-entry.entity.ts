import { ViewColumn, ViewEntity } from 'typeorm';

/** Pending and finished deliveries together. */
@ViewEntity({ name: 'delivery_log' })
export class DeliveryLogEntry {
  @ViewColumn() id: string;
  @ViewColumn({ name: 'account_id' }) accountId: string;
  @ViewColumn({ name: 'endpoint_id' }) endpointId: string;
  @ViewColumn({ name: 'event_id' }) eventId: string;
  @ViewColumn() state: string;
  @ViewColumn({ name: 'attempts_made' }) attemptsMade: number;
  @ViewColumn({ name: 'next_attempt_at' }) nextAttemptAt: Date;
  @ViewColumn({ name: 'started_at' }) startedAt: Date;
  @ViewColumn({ name: 'claimed_until' }) claimedUntil: Date;
  @ViewColumn({ name: 'replay_id' }) replayId: string;
  @ViewColumn({ name: 'replayed_as' }) replayedAs: string;
  @ViewColumn({ name: 'created_at' }) createdAt: Date;
  @ViewColumn({ name: 'finished_at' }) finishedAt: Date;
}
