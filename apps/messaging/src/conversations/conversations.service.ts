import { Injectable } from '@nestjs/common';
import type { ConversationRecord, ListConversationsCommand, ListConversationsReply } from '@switchboard/contracts';
import { query } from '@switchboard/database';
import { DataSource } from 'typeorm';
import { findRare, RARE_LIMIT } from '../contacts/contact-search';
import { pageOf, placeOf } from '../lists/page';
import { countedTotal, countUpTo, type Total, wholeTotal } from '../lists/totals';
import { boundaryId, timeOfMessageId } from '../messages/message-id';
import { SERVICE_WINDOW_HOURS, windowExpiry } from '../messages/service-window';
import {
  CONVERSATIONS_BY_WINDOW,
  type ConversationRow,
  COUNT_CONVERSATIONS_OF,
  LIST_CONVERSATIONS,
  LIST_CONVERSATIONS_OF,
} from './conversations.queries';
import { previewOf } from './preview';

/** This process's clock may differ from the database's, by which windows are judged. */
const CLOCK_DIFFERENCE_MS = 600_000;

/** What an account wrote, person by person. */
@Injectable()
export class ConversationsService {
  constructor(private readonly dataSource: DataSource) {}

  /**
   * One page, the conversation with the newest message first; a cursor takes the place of the page number.
   * @throws AppError INVALID_PARAMETER for a cursor that is not ours
   */
  async listConversations(command: ListConversationsCommand): Promise<ListConversationsReply> {
    const { accountId, search: text } = command;
    if (text === undefined) return this.readPage(command, LIST_CONVERSATIONS, null, await this.totalOf(command));
    const found = await findRare(this.dataSource, { accountId, text });
    if (!found) return this.readPage(command, LIST_CONVERSATIONS, text, { total: RARE_LIMIT, totalIsExact: false });
    const total = await countedTotal(this.dataSource, COUNT_CONVERSATIONS_OF, [...filterParams(command), found]);
    return this.readPage(command, LIST_CONVERSATIONS_OF, found, total);
  }

  /** @param searched a fragment, or the contacts that it found, as the statement takes it */
  private async readPage(command: ListConversationsCommand, sql: string, searched: string | string[] | null, total: Total): Promise<ListConversationsReply> {
    const { after, offset, take } = placeOf(command, 'msg');
    const rows = await query<ConversationRow>(this.dataSource, sql, [...filterParams(command), after, searched, offset, take]);
    const { rows: shown, ...next } = pageOf(rows, command.limit, ({ lastMessageId }) => lastMessageId);
    return { conversations: shown.map(toConversationRecord), ...total, ...next };
  }

  private totalOf(command: ListConversationsCommand): Promise<Total> {
    if (command.windowOpen === undefined) return wholeTotal(this.dataSource, command.accountId, ['conversations']);
    return countedTotal(this.dataSource, countUpTo(CONVERSATIONS_BY_WINDOW), filterParams(command));
  }
}

function filterParams({ accountId, windowOpen }: ListConversationsCommand): unknown[] {
  return [accountId, windowOpen ?? null, boundaryId(Date.now() - SERVICE_WINDOW_HOURS * 3_600_000 - CLOCK_DIFFERENCE_MS)];
}

/** A stored conversation as the API shows it (decisions 6). */
function toConversationRecord(row: ConversationRow): ConversationRecord {
  const { phone, userId, name, lastInboundAt, windowOpen, messageCount, unreadCount } = row;
  return {
    phone,
    userId,
    name,
    lastMessage: {
      upstreamId: row.upstreamId,
      direction: row.direction,
      type: row.type,
      preview: previewOf(row),
      status: row.state,
      timestamp: (row.receivedAt ?? timeOfMessageId(row.lastMessageId) ?? new Date(0)).toISOString(),
    },
    lastInboundAt: lastInboundAt?.toISOString() ?? null,
    windowOpen,
    windowExpiresAt: windowExpiry(lastInboundAt)?.toISOString() ?? null,
    messageCount,
    unreadCount,
  };
}
