import { Injectable } from '@nestjs/common';
import { AppError, type ListMessagesCommand, type ListMessagesReply, MESSAGE_STATUSES } from '@switchboard/contracts';
import { query } from '@switchboard/database';
import { DataSource } from 'typeorm';
import { decodeCursor, encodeCursor } from './cursor';
import { toMessageRecord } from './message-record';
import { COUNT_MESSAGES, LIST_MESSAGES, type MessageRow } from './messages.queries';

const STATUS_FILTERS: readonly string[] = [...MESSAGE_STATUSES, 'received'];

/** What an account sent and received. */
@Injectable()
export class MessagesService {
  constructor(private readonly dataSource: DataSource) {}

  /**
   * One page, newest first; a cursor takes the place of the page number.
   * @throws AppError INVALID_PARAMETER for an unknown status or a cursor that is not ours
   */
  async listMessages(command: ListMessagesCommand): Promise<ListMessagesReply> {
    const { limit, page, cursor } = command;
    const filters = filterParams(command);
    const position = cursor === undefined ? undefined : decodeCursor(cursor);
    const offset = position ? 0 : (page - 1) * limit;
    // One row more than the page tells whether there is a next one.
    const params = [...filters, position?.createdAt ?? null, position?.id ?? null, offset, limit + 1];
    const [rows, counts] = await Promise.all([
      query<MessageRow>(this.dataSource, LIST_MESSAGES, params),
      query<{ total: number }>(this.dataSource, COUNT_MESSAGES, filters),
    ]);
    const shown = rows.slice(0, limit);
    const last = shown.at(-1);
    const hasNext = rows.length > limit;
    return {
      messages: shown.map(toMessageRecord),
      total: counts[0]?.total ?? 0,
      hasNext,
      nextCursor: hasNext && last ? encodeCursor({ createdAt: last.createdAtText, id: last.id }) : null,
    };
  }
}

function filterParams({ accountId, direction, status, type, phone }: ListMessagesCommand): unknown[] {
  if (status !== undefined && !STATUS_FILTERS.includes(status)) {
    throw new AppError('INVALID_PARAMETER', { message: `status must be one of ${STATUS_FILTERS.join(', ')}` });
  }
  return [accountId, direction ?? null, status ?? null, type ?? null, phone ?? null];
}
