import { Injectable } from '@nestjs/common';
import {
  AppError,
  canonicalPhone,
  type ListConversationMessagesCommand,
  type ListMessagesCommand,
  type ListMessagesReply,
  MESSAGE_STATUSES,
} from '@switchboard/contracts';
import { query } from '@switchboard/database';
import { DataSource } from 'typeorm';
import { pageOf, placeOf } from '../lists/page';
import { countedTotal, type Total, wholeTotal } from '../lists/totals';
import { boundaryId } from './message-id';
import { toMessageRecord } from './message-record';
import { COUNT_MESSAGES, FIND_CONVERSATION, LIST_MESSAGES, type MessageRow } from './messages.queries';

const STATUS_FILTERS: readonly string[] = [...MESSAGE_STATUSES, 'received'];
const NOTHING: ListMessagesReply = { messages: [], total: 0, totalIsExact: true, hasNext: false, nextCursor: null };

/** No message is further ahead of time than this (upstream-time.ts), so the months to come need not be looked at. */
const AHEAD_MS = 2 * 86_400_000;

interface Conversation {
  id: string;
  messageCount: number;
}

/** What an account sent and received. */
@Injectable()
export class MessagesService {
  constructor(private readonly dataSource: DataSource) {}

  /**
   * One page, newest first; a cursor takes the place of the page number.
   * @throws AppError INVALID_PARAMETER for an unknown status or a cursor that is not ours
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
   * One page of what was written with one person, newest first.
   * @throws AppError NOT_FOUND when the account knows nobody by this number
   */
  async listConversationMessages(command: ListConversationMessagesCommand): Promise<ListMessagesReply> {
    const conversation = await this.findConversation(command.accountId, command.phone);
    if (!conversation) throw new AppError('NOT_FOUND');
    return this.readPage(command, conversation);
  }

  private async readPage(command: ListMessagesCommand, conversation?: Conversation): Promise<ListMessagesReply> {
    const { after, offset, take } = placeOf(command, 'msg');
    const filters = filterParams(command, conversation?.id);
    const until = filters.at(-1) ?? '';
    const below = after !== null && after < until ? after : until;
    const [rows, total] = await Promise.all([
      query<MessageRow>(this.dataSource, LIST_MESSAGES, [...filters.slice(0, -1), below, offset, take]),
      this.totalOf(command, filters, conversation),
    ]);
    const { rows: shown, ...next } = pageOf(rows, command.limit, ({ id }) => id);
    return { messages: shown.map(toMessageRecord), ...total, ...next };
  }

  private async findConversation(accountId: string, phone: string): Promise<Conversation | undefined> {
    const [found] = await query<Conversation>(this.dataSource, FIND_CONVERSATION, [accountId, canonicalPhone(phone)]);
    return found;
  }

  /** Kept by counters where there is one; counted otherwise, up to a limit. */
  private async totalOf(command: ListMessagesCommand, filters: (string | null)[], conversation?: Conversation): Promise<Total> {
    const { accountId, direction, status, type, jobId, since, until } = command;
    const others = [type, jobId, since, until, status === 'received' ? undefined : status];
    const isFiltered = others.some((value) => value !== undefined);
    const wanted = status === 'received' ? 'inbound' : direction;
    if (conversation && !isFiltered && wanted === undefined) return { total: conversation.messageCount, totalIsExact: true };
    if (conversation || isFiltered) return countedTotal(this.dataSource, COUNT_MESSAGES, filters);
    if (status === 'received' && direction === 'outbound') return { total: 0, totalIsExact: true };
    return wholeTotal(this.dataSource, accountId, wanted ? [wanted] : ['inbound', 'outbound']);
  }
}

function filterParams({ accountId, direction, status, type, jobId, since, until }: ListMessagesCommand, contactId?: string): (string | null)[] {
  const from = since === undefined ? null : boundaryId(Date.parse(since));
  const below = boundaryId(Math.min(until === undefined ? Infinity : Date.parse(until), Date.now() + AHEAD_MS));
  return [accountId, direction ?? null, status ?? null, type ?? null, contactId ?? null, jobId ?? null, from, below];
}
