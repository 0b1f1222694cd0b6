import { Type } from 'class-transformer';
import { IsArray, IsBoolean, IsOptional, IsString, ValidateNested } from 'class-validator';
import { PageReply, PageRequest } from '../lists';
import { command } from '../message-contract';

export class ListContactsCommand extends PageRequest {
  /** A part of a name or of a phone number, two characters or more. */
  @IsOptional() @IsString() search?: string;
  @IsOptional() @IsBoolean() optedOut?: boolean;
}

/** The service window between a contact and one business number, by which sends from that number are judged (spec §3.6.2). */
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
