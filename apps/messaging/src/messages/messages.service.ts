import { Injectable } from '@nestjs/common';
import {
  AppError,
  firstIdAt,
  type GetMessageCommand,
  type GetMessageReply,
  ID_PATTERNS,
  type ListConversationMessagesCommand,
  type ListMessagesCommand,
  type ListMessagesReply,
  MESSAGE_STATUSES,
  notFound,
  timeOfId,
} from '@switchboard/contracts';
import { scanQuery, type Page, placeOf, query, seenPageOf } from '@switchboard/database';
import { DataSource } from 'typeorm';
import { keysOf } from '../people/person-keys';
import { scannedTotal, messagesTotal, type Total, totalOfFirst } from '../list-totals/list-totals';
import { toMessageRecord } from './message-record';
import {
  FIND_CONVERSATION,
  FIND_MESSAGE,
  FIND_MESSAGE_BY_UPSTREAM_ID,
  listMessagesSql,
  type MessageFilters,
  messageList,
  type MessageRow,
} from './messages.queries';

const STATUS_FILTERS: readonly string[] = [...MESSAGE_STATUSES, 'received', 'unknown'];
const NOTHING: ListMessagesReply = { messages: [], total: 0, totalIsExact: true, hasNext: false, nextCursor: null };

/**
 * Parameters that allow the use of counters. Conversation and direction have counters, and the others filter nothing.
 */
const NO_FILTERS: ReadonlySet<string> = new Set<keyof ListMessagesCommand>([
  'accountId',
  'page',
  'limit',
  'cursor',
  'phone',
  'direction',
]);

/**
 * Maximum time by which a message may be ahead of the clock (upstream-time.ts). Later partitions need not be scanned.
 */
const AHEAD_MS = 2 * 86_400_000;

interface Conversation {
  id: string;
  messageCount: number;
}

interface KnownOfList {
  conversation?: Conversation;
  first?: Page<MessageRow>;
}

@Injectable()
export class MessagesService {
  constructor(private readonly dataSource: DataSource) {}

  /**
   * Returns one page, newest first. A cursor replaces the page number.
   * @throws AppError INVALID_PARAMETER for an unknown status or an invalid cursor
   */
  async listMessages(command: ListMessagesCommand): Promise<ListMessagesReply> {
    if (command.status !== undefined && !STATUS_FILTERS.includes(command.status)) {
      throw new AppError('INVALID_PARAMETER', { message: `status must be one of ${STATUS_FILTERS.join(', ')}` });
    }
    if (command.phone === undefined) return this.readPage(command);
    const conversation = await this.findConversation(command.accountId, command.phone);
    return conversation ? this.readPage(command, conversation) : { ...NOTHING };
  }

  /**
   * Finds a message by internal or upstream id, even if its outcome is unknown.
   * @throws AppError NOT_FOUND if the account has no such message
   */
  async getMessage({ accountId, id }: GetMessageCommand): Promise<GetMessageReply> {
    const sql = timeOfId('msg', id) ? FIND_MESSAGE : FIND_MESSAGE_BY_UPSTREAM_ID;
    const [row] = await query<MessageRow>(this.dataSource, sql, [accountId, id]);
    if (!row) throw notFound('message');
    return { message: toMessageRecord(row) };
  }

  /**
   * Returns one page of the messages with one contact, newest first. May be empty if `withNotes` is set.
   * @throws AppError NOT_FOUND if the account has no message with this phone number or user id
   */
  async listConversationMessages(command: ListConversationMessagesCommand): Promise<ListMessagesReply> {
    const conversation = await this.findConversation(command.accountId, command.phone);
    if (conversation?.messageCount === 0 && command.withNotes === true) return { ...NOTHING };
    if (!conversation || conversation.messageCount === 0) throw notFound('conversation');
    return this.readPage(command, conversation);
  }

  private async readPage(command: ListMessagesCommand, conversation?: Conversation): Promise<ListMessagesReply> {
    const { after, offset, take } = placeOf(command, ID_PATTERNS.msg);
    const filters = filtersOf(command, conversation?.id);
    if (isContradictory(filters)) return { ...NOTHING };
    const isNumbered = after === null && command.page > 1 && command.text === undefined;
    const known = isNumbered ? await this.totalOf(command, filters, { conversation }) : undefined;
    if (known?.totalIsExact && offset >= known.total) return { ...NOTHING, ...known };
    const list = messageList(after !== null && after < filters.below ? { ...filters, below: after } : filters);
    const rows = await scanQuery<MessageRow>(this.dataSource, listMessagesSql(list, { offset, take }), list.params);
    const page = seenPageOf(rows, command, ({ id }) => id);
    const total =
      known ??
      seenTotal(command, page, { isFirst: after === null }) ??
      (await this.totalOf(command, filters, { conversation, first: after === null ? page : undefined }));
    return { messages: page.rows.map(toMessageRecord), ...total, hasNext: page.hasNext, nextCursor: page.nextCursor };
  }

  private async findConversation(accountId: string, phone: string): Promise<Conversation | undefined> {
    const { phoneKey, userId } = keysOf(phone);
    const [found] = await query<Conversation>(this.dataSource, FIND_CONVERSATION, [accountId, phoneKey, userId]);
    return found;
  }

  /** Returns the total from a counter if there is one. Otherwise counts up to a limit. */
  private async totalOf(
    command: ListMessagesCommand,
    filters: MessageFilters,
    { conversation, first }: KnownOfList,
  ): Promise<Total> {
    const { accountId, direction, status } = command;
    const isFiltered = Object.entries(command).some(
      ([name, value]) => value !== undefined && !NO_FILTERS.has(name) && !(name === 'status' && value === 'received'),
    );
    const wanted = status === 'received' ? 'inbound' : direction;
    if (conversation && !isFiltered && wanted === undefined)
      return { total: conversation.messageCount, totalIsExact: true };
    if (!conversation && !isFiltered) return messagesTotal(this.dataSource, accountId, wanted);
    const told = first && totalOfFirst(first, command.limit);
    if (told) return told;
    const list = messageList(filters);
    return scannedTotal(this.dataSource, list, list.params);
  }
}

function filtersOf(command: ListMessagesCommand, contactId?: string): MessageFilters {
  const { since, until } = command;
  const from = since === undefined ? undefined : firstIdAt('msg', Date.parse(since));
  const below = firstIdAt('msg', Math.min(until === undefined ? Infinity : Date.parse(until), Date.now() + AHEAD_MS));
  return { ...command, contactId, from, below };
}

/** Returns the matches of a page as the total of a search in texts, because counting would read all texts again. */
function seenTotal(
  { text }: ListMessagesCommand,
  { rows, hasNext }: { rows: unknown[]; hasNext: boolean },
  { isFirst }: { isFirst: boolean },
): Total | undefined {
  return text === undefined ? undefined : { total: rows.length, totalIsExact: isFirst && !hasNext };
}

/** Returns true if no message can match: `received` applies to inbound messages only, and to all of them. */
function isContradictory({ direction, status }: MessageFilters): boolean {
  return direction !== undefined && status !== undefined && (direction === 'inbound') !== (status === 'received');
}
