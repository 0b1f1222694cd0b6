import { Injectable } from '@nestjs/common';
import {
  type ConversationRecord,
  type CountConversationsCommand,
  type CountConversationsReply,
  firstIdAt,
  ID_PATTERNS,
  type ListConversationsCommand,
  type ListConversationsReply,
  timeOfId,
} from '@switchboard/contracts';
import { placeOf, query, scanQuery, seenPageOf } from '@switchboard/database';
import { DataSource } from 'typeorm';
import { findRare, RARE_LIMIT } from '../contacts/contact-search';
import { contactsWithLabel, findLabel, withLabel } from '../labels/find-label';
import { inAlphabeticalOrder } from '../labels/label.entity';
import { capped, COUNT_LIMIT, scannedTotal, type Total, wholeTotal } from '../list-totals/list-totals';
import { SERVICE_WINDOW_HOURS, showWindows } from '../messages/service-window';
import {
  type ConversationFilters,
  conversationList,
  type ConversationRow,
  COUNT_VIEWS,
  type COUNTED_VIEWS,
  listConversationsSql,
} from './conversations.queries';
import { previewOf, templateOf } from './preview';
import { queueStateOf } from '../messages/queue-state';

/** Maximum difference between the clocks of this process and of the database, which decides if a window is open. */
const CLOCK_DIFFERENCE_MS = 600_000;

const NOTHING: ListConversationsReply = {
  conversations: [],
  total: 0,
  totalIsExact: true,
  hasNext: false,
  nextCursor: null,
};

type CountedView = (typeof COUNTED_VIEWS)[number];

/** Filters whose values other queries found. */
type Searched = Pick<ConversationFilters, 'search' | 'contactIds' | 'labelId'>;

@Injectable()
export class ConversationsService {
  constructor(private readonly dataSource: DataSource) {}

  /**
   * Returns one page, newest message first, or the longest wait first. A cursor replaces the page number.
   * @throws AppError INVALID_PARAMETER for an invalid cursor
   */
  async listConversations(command: ListConversationsCommand): Promise<ListConversationsReply> {
    const { accountId, search: text, label } = command;
    if (label !== undefined) return this.listLabelled(command, label);
    if (text === undefined) return this.readPage(command, {}, await this.totalOf(command));
    const contactIds = await findRare(this.dataSource, { accountId, text });
    if (!contactIds) return this.readPage(command, { search: text }, { total: RARE_LIMIT, totalIsExact: false });
    return this.readPage(command, { contactIds }, await this.scan(command, { contactIds }));
  }

  /** Lists the conversations with contacts who have a label. */
  private async listLabelled(command: ListConversationsCommand, label: string): Promise<ListConversationsReply> {
    const { accountId, search: text } = command;
    const labelId = await findLabel(this.dataSource, accountId, label);
    if (labelId === undefined) return NOTHING;
    const found = text === undefined ? null : await findRare(this.dataSource, { accountId, text });
    const contactIds = found
      ? await withLabel(this.dataSource, { accountId, labelId, contactIds: found })
      : await contactsWithLabel(this.dataSource, accountId, labelId);
    const searched = {
      ...(contactIds ? { contactIds } : { labelId }),
      ...(text !== undefined && !found && { search: text }),
    };
    return this.readPage(command, searched, await this.scan(command, searched));
  }

  /** Counts the conversations in each view, up to a limit except for `all`. */
  async countConversations({ accountId, assigneeId }: CountConversationsCommand): Promise<CountConversationsReply> {
    const [[counted], all] = await Promise.all([
      query<Record<CountedView, number>>(this.dataSource, COUNT_VIEWS, [accountId, assigneeId, COUNT_LIMIT + 1]),
      wholeTotal(this.dataSource, accountId, ['conversations']),
    ]);
    const totalOf = (view: CountedView): Total => capped(counted?.[view] ?? 0);
    return {
      unread: totalOf('unread'),
      unanswered: totalOf('unanswered'),
      mine: totalOf('mine'),
      unassigned: totalOf('unassigned'),
      all,
      done: totalOf('done'),
    };
  }

  private async readPage(
    command: ListConversationsCommand,
    searched: Searched,
    total: Total,
  ): Promise<ListConversationsReply> {
    const { after, offset, take } = placeOf(command, ID_PATTERNS.msg);
    if (total.totalIsExact && after === null && offset >= total.total) return { ...NOTHING, ...total };
    const list = conversationList({ ...filtersOf(command), ...searched, after: after ?? undefined });
    const rows = await scanQuery<ConversationRow>(
      this.dataSource,
      listConversationsSql(list, { offset, take }),
      list.params,
    );
    const { rows: shown, ...next } = seenPageOf(rows, command, (row) =>
      command.view === 'unanswered' ? (row.waitingId ?? '') : row.lastMessageId,
    );
    return { conversations: shown.map(toConversationRecord), ...total, ...next };
  }

  private totalOf(command: ListConversationsCommand): Promise<Total> {
    const { accountId, view = 'all', windowOpen, assigneeId } = command;
    if (windowOpen === undefined && assigneeId === undefined && view === 'all')
      return wholeTotal(this.dataSource, accountId, ['conversations']);
    return this.scan(command, {});
  }

  private scan(command: ListConversationsCommand, searched: Searched): Promise<Total> {
    const list = conversationList({ ...filtersOf(command), ...searched });
    return scannedTotal(this.dataSource, list, list.params);
  }
}

function filtersOf({ accountId, view, assigneeId, windowOpen }: ListConversationsCommand): ConversationFilters {
  return {
    accountId,
    view,
    assigneeId,
    windowOpen,
    openSince: firstIdAt('msg', Date.now() - SERVICE_WINDOW_HOURS * 3_600_000 - CLOCK_DIFFERENCE_MS),
  };
}

/** Converts a row to the conversation of the API (spec §7.4). */
function toConversationRecord(row: ConversationRow): ConversationRecord {
  const { phone, userId, username, name, lastInboundAt, windows, messageCount, unreadCount } = row;
  return {
    phone,
    userId,
    username,
    name,
    lastMessage: {
      upstreamId: row.upstreamId,
      direction: row.direction,
      type: row.type,
      preview: previewOf(row),
      ...templateOf(row),
      status: row.state,
      timestamp: (row.receivedAt ?? timeOfId('msg', row.lastMessageId) ?? new Date(0)).toISOString(),
      deletedAt: row.deletedAt?.toISOString() ?? null,
      origin: row.origin,
      ...(row.senderId !== null && { senderId: row.senderId }),
      ...(row.jobId !== null && { jobId: row.jobId }),
    },
    lastInboundAt: lastInboundAt?.toISOString() ?? null,
    ...showWindows(windows),
    messageCount,
    unreadCount,
    queue: queueStateOf(row),
    labels: inAlphabeticalOrder(row.labels),
  };
}
