import { Controller } from '@nestjs/common';
import { Payload } from '@nestjs/microservices';
import { CommandHandler } from '@switchboard/broker';
import {
  AppError,
  ListNumberChangesCommand,
  type ListNumberChangesReply,
  listNumberChangesV1,
  notFound,
  type NumberChange,
} from '@switchboard/contracts';
import { query } from '@switchboard/database';
import { DataSource } from 'typeorm';
import { FIND_NUMBER_OF, LIST_CHANGES } from './numbers.queries';

type ChangeRow = Omit<NumberChange, 'at'> & { at: Date };
/** Matches an id of at most 18 digits, which is below PostgreSQL's bigint maximum. */
const CURSOR = /^[0-9]{1,18}$/;

/** Lists the past states of a number. A trigger on `numbers` records each change. */
@Controller()
export class NumberHistoryController {
  constructor(private readonly dataSource: DataSource) {}

  @CommandHandler(listNumberChangesV1)
  async listChanges(@Payload() command: ListNumberChangesCommand): Promise<ListNumberChangesReply> {
    const { accountId, numberId, limit, cursor } = command;
    if (cursor !== undefined && !CURSOR.test(cursor))
      throw new AppError('INVALID_PARAMETER', { message: 'cursor is not one that the API gave' });
    const [known] = await query(this.dataSource, FIND_NUMBER_OF, [accountId, numberId]);
    if (!known) throw notFound('number');
    const found = await query<ChangeRow>(this.dataSource, LIST_CHANGES, [
      accountId,
      numberId,
      cursor ?? null,
      limit + 1,
    ]);
    const changes = found.slice(0, limit).map((change) => ({ ...change, at: change.at.toISOString() }));
    return { changes, nextCursor: found.length > limit ? (changes.at(-1)?.id ?? null) : null };
  }
}
