import { Type } from 'class-transformer';
import { IsArray, IsBoolean, IsInt, IsOptional, IsString, MaxLength, ValidateNested } from 'class-validator';
import { PageReply, PageRequest } from '../lists';
import { command } from '../message-contract';
import { IsPhone, IsStorableText } from '../validation';

export class ListContactsCommand extends PageRequest {
  /** A part of a name or of a phone number, two characters or more. */
  @IsOptional() @IsString() search?: string;
  @IsOptional() @IsBoolean() optedOut?: boolean;
}

/**
 * The service window between a contact and one business number, by which sends from that number are judged (spec
 * §3.6.2).
 */
export class ServiceWindow {
  @IsString() phoneNumber: string;
  /** Whether free-form messages may be sent from this number now. */
  @IsBoolean() open: boolean;
  @IsString() expiresAt: string;
}

/** Somebody the account writes with (spec §7.3). Times are ISO 8601 UTC with milliseconds. */
export class ContactRecord {
  @IsString() id: string;
  /** Null for somebody whom the upstream platform names by its own user id only. */
  @IsOptional() @IsString() phone: string | null;
  @IsOptional() @IsString() userId: string | null;
  /** What the account calls them, or else their profile name. */
  @IsOptional() @IsString() name: string | null;
  @IsOptional() @IsString() profileName: string | null;
  @IsBoolean() optedOut: boolean;
  @IsBoolean() marketingOptOut: boolean;
  @IsOptional() @IsString() lastMessageAt: string | null;
  @IsOptional() @IsString() lastInboundAt: string | null;
  /** Whether the service window of at least one of the account's numbers is open. */
  @IsBoolean() windowOpen: boolean;
  /** When the last of them closes. */
  @IsOptional() @IsString() windowExpiresAt: string | null;
  /** One for each business number that the contact wrote to. Absent in an answer of the version before this one. */
  @IsOptional() @IsArray() @ValidateNested({ each: true }) @Type(() => ServiceWindow) windows?: ServiceWindow[];
  @IsString() createdAt: string;
}

export class ListContactsReply extends PageReply {
  @IsArray() @ValidateNested({ each: true }) @Type(() => ContactRecord) contacts: ContactRecord[];
}

export const contactSample: ContactRecord = {
  id: 'ct_01jd0000000000000000000000',
  phone: '919812345678',
  userId: null,
  name: 'Asha R',
  profileName: 'Asha R',
  optedOut: false,
  marketingOptOut: false,
  lastMessageAt: '2026-03-02T10:15:00.000Z',
  lastInboundAt: '2026-03-02T10:14:00.000Z',
  windowOpen: true,
  windowExpiresAt: '2026-03-03T10:14:00.000Z',
  windows: [{ phoneNumber: '15550783881', open: true, expiresAt: '2026-03-03T10:14:00.000Z' }],
  createdAt: '2026-02-27T08:00:00.000Z',
};

export const listContactsV1 = command({
  name: 'messaging.list-contacts.v1',
  owner: 'messaging',
  description: "One page of an account's contacts, newest first.",
  request: ListContactsCommand,
  response: ListContactsReply,
  changes: false,
  timeoutMs: 5_000,
  sample: {
    request: { accountId: 'acc_01jd0000000000000000000000', page: 1, limit: 20 },
    response: { contacts: [contactSample], total: 1, totalIsExact: true, hasNext: false, nextCursor: null },
  },
});

/** What is absent stays as it is. */
export class UpdateContactCommand {
  @IsString() accountId: string;
  @IsPhone() phone: string;
  /** An empty name takes the account's own name away. */
  @IsOptional() @IsStorableText() @MaxLength(128) name?: string;
  /** Marketing templates are refused. */
  @IsOptional() @IsBoolean() optedOut?: boolean;
  /** The same, as the person told the upstream platform. */
  @IsOptional() @IsBoolean() marketingOptOut?: boolean;
  /** Everything is refused. */
  @IsOptional() @IsBoolean() blocked?: boolean;
}

export class UpdateContactReply {
  @ValidateNested() @Type(() => ContactRecord) contact: ContactRecord;
  @IsBoolean() blocked: boolean;
}

export const updateContactV1 = command({
  name: 'messaging.update-contact.v1',
  owner: 'messaging',
  description: 'Changes what an account holds about a person, by phone number; somebody new becomes a contact.',
  request: UpdateContactCommand,
  response: UpdateContactReply,
  changes: true,
  timeoutMs: 5_000,
  sample: {
    request: { accountId: 'acc_01jd0000000000000000000000', phone: '919812345678', optedOut: true },
    response: { contact: { ...contactSample, optedOut: true }, blocked: false },
  },
});

export class EraseContactCommand {
  @IsString() accountId: string;
  @IsPhone() phone: string;
  /** Counts what would go, and changes nothing. */
  @IsBoolean() dryRun: boolean;
}

export class EraseContactReply {
  /** What went in this step, or what would go in all. */
  @IsInt() messages: number;
  @IsInt() media: number;
  /** False: ask again, there is more to erase. */
  @IsBoolean() done: boolean;
  /**
   * On a dry run: every name under which the person is known, phone numbers and the upstream's user ids; other services
   * know them by these only.
   */
  @IsOptional() @IsString({ each: true }) knownAs?: string[];
}

export const eraseContactV1 = command({
  name: 'messaging.erase-contact.v1',
  owner: 'messaging',
  description:
    'Erases a bounded part of what is stored about a person: messages, media, and in the last step the contact. Refused with NOT_FOUND when the account knows nobody by this number. Statuses that upstream reports about erased messages are kept for up to 24 hours; they hold an upstream message id and no name.',
  request: EraseContactCommand,
  response: EraseContactReply,
  changes: true,
  timeoutMs: 60_000,
  sample: {
    request: { accountId: 'acc_01jd0000000000000000000000', phone: '919812345678', dryRun: false },
    response: { messages: 134, media: 3, done: true },
  },
});
