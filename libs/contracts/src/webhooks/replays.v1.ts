import { Type } from 'class-transformer';
import { IsInt, IsISO8601, IsOptional, IsString, ValidateNested } from 'class-validator';
import { command } from '../message-contract';

export class ReplayEventCommand {
  @IsString() accountId: string;
  @IsString() eventId: string;
  /** To this endpoint only; absent for all that it went to, and for those that take it now when it went to none. */
  @IsOptional() @IsString() endpointId?: string;
}

export class ReplayEventReply {
  /** New deliveries, due at once. */
  @IsInt() deliveries: number;
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
export class WebhookReplayRecord {
  @IsString() id: string;
  @IsOptional() @IsString() endpointId: string | null;
  /** Dropped deliveries that were found at its start. */
  @IsInt() total: number;
  /** How many of them were put into line again. */
  @IsInt() replayed: number;
  @IsString() createdAt: string;
  /** Null while it runs. */
  @IsOptional() @IsString() finishedAt: string | null;
}

export class ReplayDroppedCommand {
  @IsString() accountId: string;
  /** Every delivery that was dropped of events recorded at or after this time and not replayed yet. */
  @IsISO8601() since: string;
  @IsOptional() @IsString() endpointId?: string;
}

export class ReplayDroppedReply {
  @ValidateNested() @Type(() => WebhookReplayRecord) replay: WebhookReplayRecord;
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

export class GetReplayReply {
  @ValidateNested() @Type(() => WebhookReplayRecord) replay: WebhookReplayRecord;
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
