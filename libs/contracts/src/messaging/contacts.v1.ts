import {
  ArrayMaxSize,
  ArrayMinSize,
  IsArray,
  IsBoolean,
  IsIn,
  IsInt,
  IsOptional,
  IsString,
  MaxLength,
} from 'class-validator';
import { AddedLater, BodySchema, Doc, IsTime, ListOf, Nested, OrNull, PHONE_SCHEMA, type Schema } from '../body-docs';
import { PageReply, PageRequest } from '../lists';
import { command, PART_BYTES, SMALL_COMMAND_BYTES } from '../message-contract';
import { PHONE_PATTERN } from '../phone';
import { IsRecipient, IsStorableText } from '../validation';
import { QueueState } from './queue.v1';

export class ListContactsCommand extends PageRequest {
  /** Part of a name, a user name or a phone number; at least two characters. */
  @IsOptional() @IsString() search?: string;
  @IsOptional() @IsBoolean() optedOut?: boolean;
  /** Name of a label that the contacts have, ignoring case. */
  @IsOptional() @IsString() label?: string;
}

/**
 * Service window between a contact and one business number, which determines what that number may send (spec §3.6.2).
 */
@BodySchema({
  description:
    'Service window for one business number that the contact has messaged. Numbers not listed have no open window.',
})
export class ServiceWindow {
  @Doc(undefined, PHONE_SCHEMA) @IsString() phoneNumber: string;
  @Doc('Whether free-form messages can be sent from this number now') @IsBoolean() open: boolean;
  @IsTime() expiresAt: string;
}

/** Who opted a contact out, or how. */
export const OPT_OUT_SOURCES = ['message', 'user', 'operator', 'platform'] as const;

/** Time and source of an opt-out (spec §7.3.12). */
@BodySchema({ description: 'When and how the contact opted out' })
export class OptOutRecord {
  @Doc('Time of the opt-out; null if unknown') @OrNull() @IsTime() at: string | null;
  @Doc(
    '`message`: the contact wrote an opt-out word. `user`: a user opted the contact out in the dashboard. `operator`: the operator of the service did. `platform`: the contact declared it on the upstream platform. Null if unknown',
  )
  @OrNull()
  @IsIn(OPT_OUT_SOURCES)
  source: (typeof OPT_OUT_SOURCES)[number] | null;
  @Doc('Opt-out word that the contact wrote; null for other sources', { example: 'STOP' })
  @OrNull()
  @IsString()
  word: string | null;
  @Doc('ID of the user; null for other sources') @OrNull() @IsString() userId: string | null;
}

export const SHOWN_PHONE: Schema = { pattern: PHONE_PATTERN.source, example: '919812345678' };
/** API descriptions of a contact's combined service windows. */
export const WINDOW_DOCS = {
  open: 'Whether the service window of at least one of your numbers is open',
  expiresAt: 'Time at which the last open window closes',
};

/** Contact of an account (spec §7.3). Times are ISO 8601 UTC with milliseconds. */
@BodySchema({ name: 'Contact' })
export class ContactRecord {
  @IsString() id: string;
  @Doc('Phone number of the contact; null if the platform identifies the contact only by a user id', SHOWN_PHONE)
  @OrNull()
  @IsString()
  phone: string | null;
  @Doc('ID of the contact at the upstream platform; use it as `to` if the number is unknown')
  @OrNull()
  @IsString()
  userId: string | null;
  @Doc('User name of the contact on the platform, without the @', { example: 'asha.rao' })
  @AddedLater()
  @OrNull()
  @IsString()
  username?: string | null;
  @Doc(
    'Portfolio-wide ID of the contact, the same for all businesses in your portfolio; null if the platform reports none',
    {
      example: 'IN.ENT.20000000000000000001',
    },
  )
  @AddedLater()
  @OrNull()
  @IsString()
  parentUserId?: string | null;
  @Doc("Name that you gave the contact; defaults to the name in the business's phone app, then to the profile name")
  @OrNull()
  @IsString()
  name: string | null;
  @Doc("Name of the contact in the business's phone app; null if the app has none", { example: 'Asha (blue door)' })
  @AddedLater()
  @OrNull()
  @IsString()
  appName?: string | null;
  @OrNull() @IsString() profileName: string | null;
  @IsBoolean() optedOut: boolean;
  @IsBoolean() marketingOptOut: boolean;
  @Doc('When and how the contact opted out; null if they have not')
  @AddedLater()
  @OrNull()
  @Nested(() => OptOutRecord)
  optOut?: OptOutRecord | null;
  @OrNull() @IsTime() lastMessageAt: string | null;
  @OrNull() @IsTime() lastInboundAt: string | null;
  @Doc(WINDOW_DOCS.open) @IsBoolean() windowOpen: boolean;
  @Doc(WINDOW_DOCS.expiresAt) @OrNull() @IsTime() windowExpiresAt: string | null;
  /** One entry per business number that the contact has messaged. */
  @AddedLater() @ListOf(() => ServiceWindow) windows?: ServiceWindow[];
  @Doc(
    'Your business numbers that block the contact at the upstream platform. Blocking stops messages in both directions',
  )
  @AddedLater()
  @IsArray()
  @IsString({ each: true })
  blockedOn?: string[];
  @Doc('Names of the labels of the contact, in alphabetical order', { example: ['VIP'] })
  @AddedLater()
  @IsArray()
  @IsString({ each: true })
  labels?: string[];
  @IsTime() createdAt: string;
}

export class ListContactsReply extends PageReply {
  @ListOf(() => ContactRecord) contacts: ContactRecord[];
  /** Queue states of the contacts' conversations, in the same order. Absent in a reply of the previous version. */
  @IsOptional() @ListOf(() => QueueState) queues?: QueueState[];
}

export const contactSample: ContactRecord = {
  id: 'ct_01jd0000000000000000000000',
  phone: '919812345678',
  userId: null,
  username: null,
  parentUserId: null,
  name: 'Asha R',
  profileName: 'Asha R',
  appName: null,
  optedOut: false,
  marketingOptOut: false,
  optOut: null,
  lastMessageAt: '2026-03-02T10:15:00.000Z',
  lastInboundAt: '2026-03-02T10:14:00.000Z',
  windowOpen: true,
  windowExpiresAt: '2026-03-03T10:14:00.000Z',
  windows: [{ phoneNumber: '15550783881', open: true, expiresAt: '2026-03-03T10:14:00.000Z' }],
  blockedOn: [],
  labels: ['VIP'],
  createdAt: '2026-02-27T08:00:00.000Z',
};

export const listContactsV1 = command({
  name: 'messaging.list-contacts.v1',
  owner: 'messaging',
  description: "Returns one page of an account's contacts, newest first.",
  request: ListContactsCommand,
  response: ListContactsReply,
  changes: false,
  timeoutMs: 5_000,
  sample: {
    request: { accountId: 'acc_01jd0000000000000000000000', page: 1, limit: 20 },
    response: {
      contacts: [contactSample],
      queues: [{ assigneeId: 'usr_01jd0000000000000000000000', done: false, waitingSince: '2026-03-02T10:14:00.000Z' }],
      total: 1,
      totalIsExact: true,
      hasNext: false,
      nextCursor: null,
    },
  },
});

/** Identifies a contact by id or by phone; exactly one must be given. */
export class GetContactCommand {
  @IsString() accountId: string;
  @IsOptional() @IsString() contactId?: string;
  /** Phone number or upstream user id of the contact. */
  @IsOptional() @IsRecipient() phone?: string;
}

export class GetContactReply {
  @Nested(() => ContactRecord) contact: ContactRecord;
  /** True if the account rejects all sends to the contact. */
  @IsBoolean() blocked: boolean;
  @IsInt() messageCount: number;
  /** Number of inbound messages since the last outbound one. */
  @IsInt() unreadCount: number;
  /** Absent for a contact without messages, and in a reply of the previous version. */
  @IsOptional() @Nested(() => QueueState) queue?: QueueState;
}

/** Error: NOT_FOUND (unknown, or of another account). */
export const getContactV1 = command({
  name: 'messaging.get-contact.v1',
  owner: 'messaging',
  description:
    'Returns a contact of an account with its service windows, by id, phone number (any equivalent format) or user id.',
  request: GetContactCommand,
  response: GetContactReply,
  changes: false,
  timeoutMs: 5_000,
  maxBytes: SMALL_COMMAND_BYTES,
  sample: {
    request: { accountId: 'acc_01jd0000000000000000000000', phone: '919812345678' },
    response: {
      contact: contactSample,
      blocked: false,
      messageCount: 12,
      unreadCount: 0,
      queue: { assigneeId: 'usr_01jd0000000000000000000000', done: false, waitingSince: null },
    },
  },
});

/** Absent fields stay unchanged. */
export class UpdateContactCommand {
  @IsString() accountId: string;
  /** Phone number or user id. */
  @IsRecipient() phone: string;
  /** Name given by the account; an empty string removes it. */
  @IsOptional() @IsStorableText() @MaxLength(128) name?: string;
  /** True to reject marketing templates to the contact. */
  @IsOptional() @IsBoolean() optedOut?: boolean;
  /** Opt-out from marketing that the contact declared on the upstream platform. */
  @IsOptional() @IsBoolean() marketingOptOut?: boolean;
  /** True to reject all sends to the contact. */
  @IsOptional() @IsBoolean() blocked?: boolean;
}

export class UpdateContactReply {
  @Nested(() => ContactRecord) contact: ContactRecord;
  @IsBoolean() blocked: boolean;
}

export const updateContactV1 = command({
  name: 'messaging.update-contact.v1',
  owner: 'messaging',
  description:
    "Updates the account's data about a contact, by phone number or user id. An unknown person becomes a contact.",
  request: UpdateContactCommand,
  response: UpdateContactReply,
  changes: true,
  timeoutMs: 5_000,
  sample: {
    request: { accountId: 'acc_01jd0000000000000000000000', phone: '919812345678', optedOut: true },
    response: { contact: { ...contactSample, optedOut: true }, blocked: false },
  },
});

/** Absent fields stay unchanged. */
export class ChangeContactCommand {
  @IsString() accountId: string;
  @IsString() contactId: string;
  /** Name given by the account; an empty string removes it. */
  @IsOptional() @IsStorableText() @MaxLength(128) name?: string;
  /** True to reject marketing templates to the contact. */
  @IsOptional() @IsBoolean() optedOut?: boolean;
  /** True to reject all sends to the contact. */
  @IsOptional() @IsBoolean() blocked?: boolean;
  /** User who makes the change; stored with an opt-out. */
  @IsOptional() @IsString() userId?: string;
}

/** Error: NOT_FOUND (unknown, erased, or of another account). Never creates a contact. */
export const changeContactV1 = command({
  name: 'messaging.change-contact.v1',
  owner: 'messaging',
  description: "Updates the account's data about an existing contact, by id.",
  request: ChangeContactCommand,
  response: UpdateContactReply,
  changes: true,
  timeoutMs: 5_000,
  sample: {
    request: {
      accountId: 'acc_01jd0000000000000000000000',
      contactId: contactSample.id,
      optedOut: true,
      userId: 'usr_01jd0000000000000000000000',
    },
    response: { contact: { ...contactSample, optedOut: true }, blocked: false },
  },
});

export class EraseContactCommand {
  @IsString() accountId: string;
  /** Phone number or upstream user id of the contact. */
  @IsRecipient() phone: string;
  /** True for a dry run, which only counts. */
  @IsBoolean() dryRun: boolean;
}

export class EraseContactReply {
  /** Number of messages deleted in this step; on a dry run, the number in all. */
  @IsInt() messages: number;
  @IsInt() media: number;
  /** False if there is more to erase: repeat the command. */
  @IsBoolean() done: boolean;
  /** On a dry run: all phone numbers and upstream user ids of the contact, by which other services know it. */
  @IsOptional() @IsString({ each: true }) knownAs?: string[];
}

export const eraseContactV1 = command({
  name: 'messaging.erase-contact.v1',
  owner: 'messaging',
  description:
    'Erases stored data about a contact, in bounded steps: messages, media, and in the last step the contact. NOT_FOUND if the account has no contact with this number. Upstream statuses of erased messages are retained for up to 24 hours; they contain an upstream message id and no name.',
  request: EraseContactCommand,
  response: EraseContactReply,
  changes: true,
  timeoutMs: 60_000,
  sample: {
    request: { accountId: 'acc_01jd0000000000000000000000', phone: '919812345678', dryRun: false },
    response: { messages: 134, media: 3, done: true },
  },
});

/** Maximum user ids of one lookup. */
export const PERSON_KEYS_MAX = 1_000;

export class GetPersonKeysCommand {
  @IsString() accountId: string;
  @IsArray() @ArrayMinSize(1) @ArrayMaxSize(PERSON_KEYS_MAX) @IsString({ each: true }) userIds: string[];
}

/** Known contact with a given user id. */
export class PersonKey {
  /** As given. */
  @IsString() userId: string;
  /** Identifies the contact: the canonical form of its phone number, or its user id if the number is hidden. */
  @IsString() key: string;
}

export class GetPersonKeysReply {
  /** Without the user ids that are unknown. */
  @ListOf(() => PersonKey) people: PersonKey[];
}

export const getPersonKeysV1 = command({
  name: 'messaging.get-person-keys.v1',
  owner: 'messaging',
  callers: ['jobs'],
  description: 'Returns which contacts have the given user ids, so that a job sends to each contact once.',
  request: GetPersonKeysCommand,
  response: GetPersonKeysReply,
  changes: false,
  timeoutMs: 10_000,
  maxBytes: PART_BYTES,
  prefetch: 2,
  sample: {
    request: { accountId: 'acc_01jd0000000000000000000000', userIds: ['IN.10000000000000000001'] },
    response: { people: [{ userId: 'IN.10000000000000000001', key: '919812345678' }] },
  },
});
