import { IsInt, IsISO8601, IsOptional, IsString } from 'class-validator';
import { Answer, Body, Doc, IsTime, Nested, OrNull } from '../body-docs';
import { command } from '../message-contract';

export class ReplayEventCommand {
  @IsString() accountId: string;
  @IsString() eventId: string;
  /** To this endpoint only; absent for all that it went to, and for those that take it now when it went to none. */
  @IsOptional() @IsString() endpointId?: string;
}

@Answer({ name: 'ReplayedCount' })
export class ReplayEventReply {
  @Doc('New deliveries, due at once') @IsInt() deliveries: number;
}

export const replayEventV1 = command({
  name: 'webhooks.replay-event.v1',
  owner: 'webhooks',
  description: 'Delivers one event again, with the same bytes and the same event id.',
  request: ReplayEventCommand,
  response: ReplayEventReply,
  changes: true,
  timeoutMs: 5_000,
  sample: {
    request: { accountId: 'acc_01jd0000000000000000000000', eventId: 'evt_01jd0000000000000000000000' },
    response: { deliveries: 1 },
  },
});

/** How far a replay has come. */
@Body({ name: 'WebhookReplay' })
export class WebhookReplayRecord {
  @IsString() id: string;
  @OrNull() @IsString() endpointId: string | null;
  @Doc('Dropped deliveries that were found at its start') @IsInt() total: number;
  @Doc('How many of them wait for delivery again') @IsInt() replayed: number;
  @IsTime() createdAt: string;
  @Doc('Null while it runs') @OrNull() @IsTime() finishedAt: string | null;
}

export class ReplayDroppedCommand {
  @IsString() accountId: string;
  /** Every delivery that was dropped of events recorded at or after this time and not replayed yet. */
  @IsISO8601() since: string;
  @IsOptional() @IsString() endpointId?: string;
}

export class ReplayDroppedReply {
  @Nested(() => WebhookReplayRecord) replay: WebhookReplayRecord;
}

export const replayDroppedV1 = command({
  name: 'webhooks.replay-dropped.v1',
  owner: 'webhooks',
  description:
    'Begins to deliver all dropped events since a time again, at a limited rate; NOT_FOUND when the account has no such endpoint. Its progress is asked for with webhooks.get-replay.v1.',
  request: ReplayDroppedCommand,
  response: ReplayDroppedReply,
  changes: true,
  timeoutMs: 10_000,
  sample: {
    request: { accountId: 'acc_01jd0000000000000000000000', since: '2026-03-02T09:00:00.000Z' },
    response: {
      replay: {
        id: 'rpl_01jd0000000000000000000000',
        endpointId: null,
        total: 120,
        replayed: 0,
        createdAt: '2026-03-02T11:00:00.000Z',
        finishedAt: null,
      },
    },
  },
});

export class GetReplayCommand {
  @IsString() accountId: string;
  @IsString() replayId: string;
}

@Answer({ name: 'ReplayAnswer' })
export class GetReplayReply {
  @Nested(() => WebhookReplayRecord) replay: WebhookReplayRecord;
}

export const getReplayV1 = command({
  name: 'webhooks.get-replay.v1',
  owner: 'webhooks',
  description: 'How far a replay of dropped events has come.',
  request: GetReplayCommand,
  response: GetReplayReply,
  changes: false,
  timeoutMs: 5_000,
  sample: {
    request: { accountId: 'acc_01jd0000000000000000000000', replayId: 'rpl_01jd0000000000000000000000' },
    response: {
      replay: {
        ...{ id: 'rpl_01jd0000000000000000000000', endpointId: null, total: 120, replayed: 120 },
        ...{ createdAt: '2026-03-02T11:00:00.000Z', finishedAt: '2026-03-02T11:00:03.000Z' },
      },
    },
  },
});
