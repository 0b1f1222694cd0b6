import { ArrayMaxSize, IsBoolean, IsInt, IsOptional, IsString, Max, Min, ValidateIf } from 'class-validator';
import { command } from '../message-contract';
import { IsRecipient } from '../validation';

export class GetEventRetentionCommand {
  @IsString() accountId: string;
}

/** Retention of an account's webhook events. */
export class EventRetentionReply {
  /** Retention set for the account, in days; null if it has none. */
  @IsOptional() @IsInt() eventDays: number | null;
  /** Effective retention in days: at most that of the installation's log. */
  @IsInt() effectiveDays: number;
}

export const getEventRetentionV1 = command({
  name: 'webhooks.get-event-retention.v1',
  owner: 'webhooks',
  description: "Returns the retention of an account's webhook events, in days.",
  request: GetEventRetentionCommand,
  response: EventRetentionReply,
  changes: false,
  timeoutMs: 5_000,
  sample: { request: { accountId: 'acc_01jd0000000000000000000000' }, response: { eventDays: 7, effectiveDays: 7 } },
});

/** Maximum retention of an installation's log, in days. */
export const MAX_EVENT_DAYS = 3_650;

export class SetEventRetentionCommand {
  @IsString() accountId: string;
  /** New retention in days; null for that of the installation's log. */
  @ValidateIf((_, days) => days !== null) @IsInt() @Min(1) @Max(MAX_EVENT_DAYS) eventDays: number | null;
}

export const setEventRetentionV1 = command({
  name: 'webhooks.set-event-retention.v1',
  owner: 'webhooks',
  description: "Updates the retention of an account's webhook events, with their deliveries and attempts, in days.",
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
  /** Account whose events are deleted; all accounts with their own retention if absent. */
  @IsOptional() @IsString() accountId?: string;
  /** True for a dry run, which only counts. */
  @IsBoolean() dryRun: boolean;
}

export class RunEventRetentionReply {
  /** Number of events deleted in this step; on a dry run, the number in all. */
  @IsInt() events: number;
  /** False if there is more to delete: repeat the command. */
  @IsBoolean() done: boolean;
}

export const runEventRetentionV1 = command({
  name: 'webhooks.run-event-retention.v1',
  owner: 'webhooks',
  description:
    'Deletes a bounded number of webhook events that exceed the retention of their accounts, with their deliveries and attempts. Events with pending deliveries are retained.',
  request: RunEventRetentionCommand,
  response: RunEventRetentionReply,
  changes: true,
  timeoutMs: 60_000,
  sample: { request: { dryRun: false }, response: { events: 134, done: true } },
});

export class ErasePersonCommand {
  @IsString() accountId: string;
  @IsRecipient() phone: string;
  /** Other identifiers of the contact: equivalent formats of the number, other numbers, upstream user ids. */
  @IsOptional() @IsString({ each: true }) @ArrayMaxSize(100) alsoKnownAs?: string[];
  /** True for a dry run, which only counts. */
  @IsBoolean() dryRun: boolean;
}

export class ErasePersonReply {
  /** Number of events deleted in this step; on a dry run, the number in all. */
  @IsInt() events: number;
  /** False if there is more to erase: repeat the command. */
  @IsBoolean() done: boolean;
}

export const erasePersonV1 = command({
  name: 'webhooks.erase-person.v1',
  owner: 'webhooks',
  description:
    "Erases an account's webhook events about a contact, by phone number and other identifiers, with their deliveries and attempts, in bounded steps. Pending deliveries are no longer sent.",
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
