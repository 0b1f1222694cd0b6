import { IsInt, IsOptional, IsString } from 'class-validator';
import { command } from '../message-contract';

export class GetEventRetentionCommand {
  @IsString() accountId: string;
}

/** How long an account's webhook events are kept. */
export class EventRetentionReply {
  /** As set for the account; null when it has no days of its own. */
  @IsOptional() @IsInt() eventDays: number | null;
  /** What holds: nothing is kept longer than the installation's log. */
  @IsInt() effectiveDays: number;
}

export const getEventRetentionV1 = command({
  name: 'webhooks.get-event-retention.v1',
  owner: 'webhooks',
  description: "How many days an account's webhook events are kept.",
  request: GetEventRetentionCommand,
  response: EventRetentionReply,
  changes: false,
  timeoutMs: 5_000,
  sample: { request: { accountId: 'acc_01jd0000000000000000000000' }, response: { eventDays: 7, effectiveDays: 7 } },
});
