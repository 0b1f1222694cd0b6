import { IsBoolean, IsIn, IsInt, IsISO8601, IsOptional, IsString, Max, MaxLength, Min } from 'class-validator';
import { AddedLater, Answer, BodySchema, Doc, IsTime, ListOf, Nested, OrNull } from '../body-docs';
import { command, SMALL_COMMAND_BYTES } from '../message-contract';
import { IsStorableText } from '../validation';
import { WEBHOOK_EVENT_KINDS, type WebhookEventKind } from './webhook-records';

export class ReplayEventCommand {
  @IsString() accountId: string;
  @IsString() eventId: string;
  /**
   * Endpoint that gets the replay. If absent, all endpoints that received the event or, if none did, all that would
   * receive it now.
   */
  @IsOptional() @IsString() endpointId?: string;
}

@Answer({ name: 'ReplayedCount' })
export class ReplayEventReply {
  @Doc('Number of new deliveries, which are due immediately') @IsInt() deliveries: number;
}

export const replayEventV1 = command({
  name: 'webhooks.replay-event.v1',
  owner: 'webhooks',
  description: 'Replays one event, with the same bytes and the same event id.',
  request: ReplayEventCommand,
  response: ReplayEventReply,
  changes: true,
  timeoutMs: 5_000,
  maxBytes: SMALL_COMMAND_BYTES,
  sample: {
    request: { accountId: 'acc_01jd0000000000000000000000', eventId: 'evt_01jd0000000000000000000000' },
    response: { deliveries: 1 },
  },
});

/** Progress of a replay. */
@BodySchema({ name: 'WebhookReplay' })
export class WebhookReplayRecord {
  @IsString() id: string;
  @Doc('Endpoint whose deliveries are replayed; null for all endpoints') @OrNull() @IsString() endpointId:
    | string
    | null;
  @Doc('Event kind to replay; null for all kinds')
  @AddedLater()
  @OrNull()
  @IsIn(WEBHOOK_EVENT_KINDS)
  kind?: WebhookEventKind | null;
  @Doc('Number of dropped deliveries at the start of the replay') @IsInt() total: number;
  @Doc('Number of dropped deliveries that have been queued again') @IsInt() replayed: number;
  @IsTime() createdAt: string;
  @Doc('Time at which the replay finished; null while it is running') @OrNull() @IsTime() finishedAt: string | null;
}

export class ReplayDroppedCommand {
  @IsString() accountId: string;
  /** Inclusive start of the range: replays dropped deliveries, not replayed yet, of events recorded from then on. */
  @IsISO8601() since: string;
  /** Exclusive end of the range; now if absent. */
  @IsOptional() @IsISO8601() until?: string;
  @IsOptional() @IsString() endpointId?: string;
  @IsOptional() @IsIn(WEBHOOK_EVENT_KINDS) kind?: WebhookEventKind;
  /** Number of deliveries from an earlier count; the replay starts only if the number is still the same. */
  @IsOptional() @IsInt() @Min(0) deliveries?: number;
}

export class ReplayDroppedReply {
  @Nested(() => WebhookReplayRecord) replay: WebhookReplayRecord;
}

export const replayDroppedV1 = command({
  name: 'webhooks.replay-dropped.v1',
  owner: 'webhooks',
  description:
    'Starts replaying all events dropped since a time, at a limited rate. NOT_FOUND if the account has no such endpoint, INVALID_VALUE if the count differs from the one in the request. webhooks.get-replay.v1 returns the progress.',
  request: ReplayDroppedCommand,
  response: ReplayDroppedReply,
  changes: true,
  timeoutMs: 10_000,
  maxBytes: SMALL_COMMAND_BYTES,
  sample: {
    request: { accountId: 'acc_01jd0000000000000000000000', since: '2026-03-02T09:00:00.000Z' },
    response: {
      replay: {
        id: 'rpl_01jd0000000000000000000000',
        endpointId: null,
        kind: null,
        total: 120,
        replayed: 0,
        createdAt: '2026-03-02T11:00:00.000Z',
        finishedAt: null,
      },
    },
  },
});

/** Maximum that is counted, to bound the cost of a count. */
export const MOST_COUNTED_DELIVERIES = 10_000;

@Answer({ name: 'DroppedDeliveries' })
export class CountDroppedReply {
  @Doc(`Number of dropped deliveries that a replay would include, up to ${MOST_COUNTED_DELIVERIES}`)
  @IsInt()
  deliveries: number;
  @Doc('Whether the number is exact; false if counting stopped at the limit') @IsBoolean() isExact: boolean;
}

export const countDroppedV1 = command({
  name: 'webhooks.count-dropped.v1',
  owner: 'webhooks',
  description: 'Counts the dropped deliveries that a replay of the same request would include now.',
  request: ReplayDroppedCommand,
  response: CountDroppedReply,
  changes: false,
  timeoutMs: 5_000,
  maxBytes: SMALL_COMMAND_BYTES,
  sample: {
    request: { accountId: 'acc_01jd0000000000000000000000', since: '2026-03-02T09:00:00.000Z' },
    response: { deliveries: 120, isExact: true },
  },
});

export class ListReplaysCommand {
  @IsString() accountId: string;
  @IsInt() @Min(1) @Max(100) limit: number;
  /** Position after the last replay of the previous page: its id. */
  @IsOptional() @IsString() @IsStorableText() @MaxLength(100) cursor?: string;
}

@Answer({ name: 'ReplayList' })
export class ListReplaysReply {
  @ListOf(() => WebhookReplayRecord) replays: WebhookReplayRecord[];
  @OrNull() @IsString() nextCursor: string | null;
}

export const listReplaysV1 = command({
  name: 'webhooks.list-replays.v1',
  owner: 'webhooks',
  description: "Returns one page of an account's replays with their progress, newest first.",
  request: ListReplaysCommand,
  response: ListReplaysReply,
  changes: false,
  timeoutMs: 5_000,
  maxBytes: SMALL_COMMAND_BYTES,
  sample: {
    request: { accountId: 'acc_01jd0000000000000000000000', limit: 20 },
    response: {
      replays: [
        {
          id: 'rpl_01jd0000000000000000000000',
          endpointId: null,
          kind: null,
          total: 120,
          replayed: 120,
          createdAt: '2026-03-02T11:00:00.000Z',
          finishedAt: '2026-03-02T11:00:03.000Z',
        },
      ],
      nextCursor: null,
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
  description: 'Returns the progress of a replay of dropped events.',
  request: GetReplayCommand,
  response: GetReplayReply,
  changes: false,
  timeoutMs: 5_000,
  maxBytes: SMALL_COMMAND_BYTES,
  sample: {
    request: { accountId: 'acc_01jd0000000000000000000000', replayId: 'rpl_01jd0000000000000000000000' },
    response: {
      replay: {
        id: 'rpl_01jd0000000000000000000000',
        endpointId: null,
        kind: null,
        total: 120,
        replayed: 120,
        createdAt: '2026-03-02T11:00:00.000Z',
        finishedAt: '2026-03-02T11:00:03.000Z',
      },
    },
  },
});
