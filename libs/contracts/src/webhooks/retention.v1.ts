import { ArrayMaxSize, IsBoolean, IsInt, IsOptional, IsString, Max, Min, ValidateIf } from 'class-validator';
import { command } from '../message-contract';
import { IsRecipient } from '../validation';

export class GetEventRetentionCommand {
  @IsString() accountId: string;
}

/** Retention of the webhook events of an account. */
export class EventRetentionReply {
  /** Setting of the account; null if it has none. */
  @IsOptional() @IsInt() eventDays: number | null;
  /** Effective days: at most the retention of the log of the installation. */
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

/** Maximum retention of the log of an installation. */
export const MAX_EVENT_DAYS = 3_650;

export class SetEventRetentionCommand {
  @IsString() accountId: string;
  /** Null for the retention of the log of the installation. */
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
  sample: {
    request: { accountId: 'acc_01jd0000000000000000000000', eventDays: 7 },
    response: { eventDays: 7, effectiveDays: 7 },
  },
});

export class RunEventRetentionCommand {
  /** One account; all accounts with own retention periods when absent. */
  @IsOptional() @IsString() accountId?: string;
  /** True to count only, without changes. */
  @IsBoolean() dryRun: boolean;
}

export class RunEventRetentionReply {
  /** Events deleted in this step, or to be deleted in all. */
  @IsInt() events: number;
  /** False if there is more to delete: repeat the command. */
  @IsBoolean() done: boolean;
}

export const runEventRetentionV1 = command({
  name: 'webhooks.run-event-retention.v1',
  owner: 'webhooks',
  description:
    "Removes a bounded part of the webhook events that are older than their accounts' days, with their deliveries and attempts; what still waits to be delivered stays.",
  request: RunEventRetentionCommand,
  response: RunEventRetentionReply,
  changes: true,
  timeoutMs: 60_000,
  sample: { request: { dryRun: false }, response: { events: 134, done: true } },
});

export class ErasePersonCommand {
  @IsString() accountId: string;
  @IsRecipient() phone: string;
  /** Other identifiers of the contact: other formats of the number, other numbers, upstream user ids. */
  @IsOptional() @IsString({ each: true }) @ArrayMaxSize(100) alsoKnownAs?: string[];
  /** True to count only, without changes. */
  @IsBoolean() dryRun: boolean;
}

export class ErasePersonReply {
  /** Events deleted in this step, or to be deleted in all. */
  @IsInt() events: number;
  /** False if there is more to erase: repeat the command. */
  @IsBoolean() done: boolean;
}

export const erasePersonV1 = command({
  name: 'webhooks.erase-person.v1',
  owner: 'webhooks',
  description:
    "Erases a bounded part of an account's webhook events about a person, by phone number and other names, with their deliveries and attempts; what waits is not sent any more.",
  request: ErasePersonCommand,
  response: ErasePersonReply,
  changes: true,
  timeoutMs: 30_000,
  maxBytes: 65_536,
  sample: {
    request: { accountId: 'acc_01jd0000000000000000000000', phone: '919812345678', dryRun: false },
    response: { events: 134, done: true },
  },
});
