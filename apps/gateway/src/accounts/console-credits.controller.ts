import { Controller, Get, Query, Req, Res } from '@nestjs/common';
import { ApiOperation, ApiProduces, ApiResponse, ApiTags } from '@nestjs/swagger';
import {
  Answer,
  CREDIT_CATEGORIES,
  type CreditCategory,
  Doc,
  IsTime,
  ListOf,
  OrNull,
  TIME_SCHEMA,
} from '@switchboard/contracts';
import { IsIn, IsInt, IsOptional, IsString } from 'class-validator';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Roles } from '../decorators/roles.decorator';
import { Download } from '../rate-limits/read-limiter';
import { CreditsService, LEDGER_KINDS, type LedgerEntry, type LedgerFilter, type LedgerKind } from './credits.service';
import { type ConsoleUser, SignedIn } from '../request-context/console-user';
import { withinDatabaseDeadline } from '../http/database-deadline';
import { csvLines, EXPORT_MOST_ROWS, sendCsv } from '../pagination/csv-export';
import { CursorPaged } from '../pagination/page-query';
import { IsLike, IsOneOf, IsPointInTime } from '../pagination/query-rules';
import { csvLine } from '../pagination/safe-cell';
import { ApiAnswer, ApiCursorPaging, ApiFilter, ApiRefusals, type Success } from '../openapi/decorators';

const CSV = 'text/csv';
const FILE = { [CSV]: { schema: { type: 'string' as const, format: 'binary' } } };
const COLUMNS = ['id', 'at', 'kind', 'category', 'amount', 'reason', 'reservation'];
const FILE_PAGE_ROWS = 1_000;
/** Ledger entry id of at most 18 digits, below PostgreSQL's maximum bigint. */
const CURSOR = /^[0-9]{1,18}$/;

class LedgerEntryRecord {
  @IsString() id: string;
  @IsTime() at: string;
  @Doc(
    '`grant`: monthly credits of the plan. `top_up`: added manually. `reserve`: reserved for a send. `settle`: reserved credits spent. `refund`: credits returned',
  )
  @IsIn(LEDGER_KINDS)
  kind: LedgerKind;
  @IsIn(CREDIT_CATEGORIES) category: CreditCategory;
  @Doc('Negative for a reservation, 0 for a settlement. The sum of all amounts is the balance')
  @IsInt()
  amount: number;
  @IsString() reason: string;
  @Doc('ID shared by the ledger entries of one send') @OrNull() @IsString() reservationId: string | null;
}

@Answer({ name: 'CreditLedger' })
class LedgerAnswer {
  @ListOf(() => LedgerEntryRecord) entries: LedgerEntryRecord[];
  @OrNull() @IsString() nextCursor: string | null;
}

class LedgerFilters {
  @IsOptional() @IsOneOf(LEDGER_KINDS) kind?: LedgerKind;
  @IsOptional() @IsPointInTime() since?: string;
  @IsOptional() @IsPointInTime() until?: string;
}

class LedgerQuery extends CursorPaged(LedgerFilters) {
  @IsOptional() @IsLike(CURSOR, 'one that the API gave') override cursor?: string;
}

function ApiLedgerFilters(): MethodDecorator {
  return (...target) => {
    ApiFilter('kind', { type: 'string', enum: LEDGER_KINDS })(...target);
    ApiFilter('since', TIME_SCHEMA, 'Only entries recorded at or after this time')(...target);
    ApiFilter('until', TIME_SCHEMA, 'Only entries recorded before this time')(...target);
  };
}

@ApiTags('Account')
@Controller('console/v1')
export class ConsoleCreditsController {
  constructor(private readonly credits: CreditsService) {}

  @Get('credits')
  @Roles('viewer')
  @ApiOperation({ operationId: 'listCredits', summary: 'List ledger entries, newest first' })
  @ApiCursorPaging()
  @ApiLedgerFilters()
  @ApiAnswer(LedgerAnswer)
  @ApiRefusals('INVALID_VALUE')
  async list(
    @SignedIn() { account }: ConsoleUser,
    @Query() { cursor: before, ...query }: LedgerQuery,
  ): Promise<Success<LedgerAnswer>> {
    return { success: true, ...(await this.page(account.id, { ...query, before })) };
  }

  @Get('credits.csv')
  @Download()
  @Roles('viewer', { except: 'agent' })
  @ApiOperation({
    operationId: 'exportCredits',
    summary: 'Download the credit ledger as CSV',
    description: `The newest ${EXPORT_MOST_ROWS.toLocaleString('en')} entries, streamed. Text that a spreadsheet program would interpret as a formula is prefixed with an apostrophe.`,
  })
  @ApiLedgerFilters()
  @ApiProduces(CSV)
  @ApiResponse({ status: 200, description: 'The file, in UTF-8', content: FILE })
  @ApiRefusals('INVALID_VALUE', 'ROLE_NOT_ALLOWED')
  async file(
    @SignedIn() { account }: ConsoleUser,
    @Query() filters: LedgerFilters,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const lines = await csvLines(async (cursor) => {
      const found = await this.page(account.id, { ...filters, limit: FILE_PAGE_ROWS, before: cursor });
      return { rows: found.entries, nextCursor: found.nextCursor };
    }, lineOf);
    await sendCsv({ head: csvLine(COLUMNS), lines, filename: 'credits.csv' }, { request, reply });
  }

  private async page(accountId: string, filter: LedgerFilter): Promise<LedgerAnswer> {
    const entries = await withinDatabaseDeadline(this.credits.ledgerOf(accountId, filter));
    const isFull = entries.length === filter.limit;
    return { entries: entries.map(shown), nextCursor: isFull ? (entries.at(-1)?.entryId ?? null) : null };
  }
}

function shown({ entryId, createdAt, kind, category, amount, reason, reservationId }: LedgerEntry): LedgerEntryRecord {
  return { id: entryId, at: createdAt.toISOString(), kind, category, amount, reason, reservationId };
}

/** Formats one CSV line. Numbers are not escaped as formulas, since spreadsheets could not sum them as text. */
function lineOf({ id, at, kind, category, amount, reason, reservationId }: LedgerEntryRecord): string {
  return `${csvLine([id, at, kind, category]).trimEnd()},${amount},${csvLine([reason, reservationId ?? ''])}`;
}
