import { IsInt, IsString, Max, Min, ValidateIf } from 'class-validator';
import { command } from '../message-contract';
import { EventRetentionReply } from './get-event-retention.v1';

/** As many as the installation's log can be told to keep. */
export const MAX_EVENT_DAYS = 3_650;

export class SetEventRetentionCommand {
  @IsString() accountId: string;
  /** Null: as long as the installation's log. */
  @ValidateIf((_, days) => days !== null) @IsInt() @Min(1) @Max(MAX_EVENT_DAYS) eventDays: number | null;
}

export const setEventRetentionV1 = command({
  name: 'webhooks.set-event-retention.v1',
  owner: 'webhooks',
  description: "Changes how many days an account's webhook events are kept, with their deliveries and attempts.",
  request: SetEventRetentionCommand,
  response: EventRetentionReply,
  changes: true,
  timeoutMs: 5_000,
  sample: { request: { accountId: 'acc_01jd0000000000000000000000', eventDays: 7 }, response: { eventDays: 7, effectiveDays: 7 } },
});
