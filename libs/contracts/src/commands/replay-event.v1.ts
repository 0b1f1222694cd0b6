import { IsInt, IsOptional, IsString } from 'class-validator';
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
