import { Controller } from '@nestjs/common';
import { Payload } from '@nestjs/microservices';
import { CommandHandler } from '@switchboard/broker';
import {
  type AccountNoticeRecord,
  AppError,
  isId,
  ListAccountNoticesCommand,
  type ListAccountNoticesReply,
  listAccountNoticesV1,
} from '@switchboard/contracts';
import { query, refuseTooDeep } from '@switchboard/database';
import { DataSource } from 'typeorm';
import { COUNT_NOTICES, LIST_NOTICES } from './notices.queries';

type NoticeRow = Omit<AccountNoticeRecord, 'timestamp'> & { timestamp: Date };

@Controller()
export class NoticesController {
  constructor(private readonly dataSource: DataSource) {}

  @CommandHandler(listAccountNoticesV1)
  async listNotices(@Payload() command: ListAccountNoticesCommand): Promise<ListAccountNoticesReply> {
    const { accountId, page, limit, cursor } = command;
    if (cursor !== undefined && !isId('ntc', cursor))
      throw new AppError('INVALID_PARAMETER', { message: 'cursor is not one that the API gave' });
    const offset = cursor === undefined ? (page - 1) * limit : 0;
    const place = [accountId, cursor ?? null, offset, limit + 1];
    const found = await query<NoticeRow>(this.dataSource, LIST_NOTICES, place);
    refuseTooDeep(command, found);
    const [{ total } = { total: 0 }] = await query<{ total: number }>(this.dataSource, COUNT_NOTICES, [accountId]);
    const notices = found.slice(0, limit).map((notice) => ({ ...notice, timestamp: notice.timestamp.toISOString() }));
    const hasNext = found.length > limit;
    const nextCursor = hasNext ? (notices.at(-1)?.id ?? null) : null;
    return { notices, total, totalIsExact: true, hasNext, nextCursor };
  }
}
