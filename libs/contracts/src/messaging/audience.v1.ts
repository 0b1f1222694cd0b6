import { IsBoolean, IsInt, IsObject, IsOptional, IsString, Max, Min } from 'class-validator';
import { Doc, IsTime, ListOf, Nested } from '../body-docs';
import { command } from '../message-contract';

/**
 * Contacts to send to. Contacts that the account or any of its business numbers blocks never match. Absent filters
 * match all contacts.
 */
export class Audience {
  /** Label that the contacts have. */
  @IsOptional() @IsString() labelId?: string;
  /** The contacts have written at this time or later. */
  @IsOptional() @IsTime() wroteSince?: string;
  /** The contacts have not written at this time or later, or never. */
  @IsOptional() @IsTime() silentSince?: string;
  /** True to omit contacts that opted out of marketing, or of all messages. */
  @IsOptional() @IsBoolean() optedIn?: boolean;
  /** True for contacts with an open service window with any business number when the page is read. */
  @IsOptional() @IsBoolean() windowOpen?: boolean;
}

/** Contact of an audience. */
export class AudienceMember {
  /** Phone number, or user id if the number is hidden. */
  @IsString() recipient: string;
  /** Name as in the list of contacts. */
  @IsOptional() @IsString() name: string | null;
}

/** Maximum contacts of one `ListAudienceReply`. */
export const AUDIENCE_PAGE_MAX = 1_000;

export class ListAudienceCommand {
  @IsString() accountId: string;
  @IsObject() @Nested(() => Audience) audience: Audience;
  @IsInt() @Min(1) @Max(AUDIENCE_PAGE_MAX) limit: number;
  /** `next` of the previous page. */
  @IsOptional() @IsString() after?: string;
}

export class ListAudienceReply {
  @ListOf(() => AudienceMember) members: AudienceMember[];
  /** Contact with which the next page continues; null on the last page. A page before the last may be empty. */
  @IsOptional() @IsString() next: string | null;
}

/** Error: NOT_FOUND for an unknown label, also if it was deleted since the previous page. */
export const listAudienceV1 = command({
  name: 'messaging.list-audience.v1',
  owner: 'messaging',
  callers: ['jobs'],
  description:
    'Returns one page of the contacts of an audience, newest first. Contacts created after the first page do not follow.',
  request: ListAudienceCommand,
  response: ListAudienceReply,
  changes: false,
  timeoutMs: 10_000,
  prefetch: 2,
  sample: {
    request: { accountId: 'acc_01jd0000000000000000000000', audience: { optedIn: true }, limit: 1_000 },
    response: { members: [{ recipient: '919812345678', name: 'Asha R' }], next: null },
  },
});

export class CountAudienceCommand {
  @IsString() accountId: string;
  @IsObject() @Nested(() => Audience) audience: Audience;
}

export class CountAudienceReply {
  @Doc('Number of contacts that match') @IsInt() count: number;
  @Doc('Whether all contacts were counted; otherwise at least `count` match')
  @IsBoolean()
  isExact: boolean;
}

/** Error: NOT_FOUND for an unknown label. */
export const countAudienceV1 = command({
  name: 'messaging.count-audience.v1',
  owner: 'messaging',
  description: 'Counts the contacts of an audience, as far as a bounded number of scans reaches.',
  request: CountAudienceCommand,
  response: CountAudienceReply,
  changes: false,
  timeoutMs: 10_000,
  prefetch: 2,
  sample: {
    request: { accountId: 'acc_01jd0000000000000000000000', audience: { windowOpen: true } },
    response: { count: 1_204, isExact: true },
  },
});
