import { Controller, Get, Query, Req, Res } from '@nestjs/common';
import { ApiOperation, ApiProduces, ApiResponse, ApiTags } from '@nestjs/swagger';
import {
  Answer,
  DAY_PATTERN,
  Doc,
  GetResultsReply,
  getResultsV1,
  HasNoFault,
  MAX_RESULT_DAYS,
  MAX_RESULT_GROUPS,
  RESULT_GROUPINGS,
  RESULT_OPEN_DAYS,
  type ResultGroup,
  type ResultGrouping,
} from '@switchboard/contracts';
import { MessagingClient } from '@switchboard/service-clients';
import { IsIn, IsOptional, IsString } from 'class-validator';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AuditNames } from '../audit-log/audit-names';
import { Roles } from '../decorators/roles.decorator';
import { fieldError } from '../http/field-error';
import { MessageAuthors } from '../messages/message-authors';
import { ApiAnswer, ApiFilter, ApiRefusals, type Success } from '../openapi/decorators';
import { csvLines, sendCsv } from '../pagination/csv-export';
import { IsGivenOnce, IsOneOf, timeOf } from '../pagination/query-rules';
import { csvLine } from '../pagination/safe-cell';
import { Download } from '../rate-limits/read-limiter';
import { type ConsoleUser, SignedIn } from '../request-context/console-user';

const CSV = 'text/csv';
const FILE = { [CSV]: { schema: { type: 'string' as const, format: 'binary' } } };
const DAY_MS = 86_400_000;
const DEFAULT_DAYS = 30;

const FIGURES = ['sent', 'delivered', 'read', 'answered', 'pressed', 'failed'] as const;
const COLUMNS = ['key', 'name', ...FIGURES, 'responses', 'medianResponseSeconds', 'reasons'];

const { request, response } = getResultsV1.sample;

@Answer({
  name: 'Results',
  example: () => ({ success: true, by: request.by, since: request.since, until: request.until, ...response }),
})
class ResultsAnswer extends GetResultsReply {
  @IsIn(RESULT_GROUPINGS) by: ResultGrouping;
  @Doc('First day in UTC', { example: request.since }) @IsString() since: string;
  @Doc('Last day in UTC', { example: request.until }) @IsString() until: string;
}

/** Requires a day; returns 422 INVALID_VALUE. */
function IsDay(): PropertyDecorator {
  return (prototype, name) => {
    IsGivenOnce()(prototype, name);
    HasNoFault((text) =>
      typeof text === 'string' && DAY_PATTERN.test(text) && timeOf(text) !== undefined
        ? undefined
        : 'must be a day such as 2026-11-29',
    )(prototype, name);
  };
}

class ResultsQuery {
  @IsOptional() @IsOneOf(RESULT_GROUPINGS) by: ResultGrouping = 'template';
  @IsOptional() @IsDay() since?: string;
  @IsOptional() @IsDay() until?: string;
}

function ApiResultsFilters(): MethodDecorator {
  return (...method) => {
    ApiFilter('by', { type: 'string', enum: RESULT_GROUPINGS, default: 'template' }, 'Grouping')(...method);
    ApiFilter(
      'since',
      { type: 'string', format: 'date' },
      `First day in UTC; defaults to ${DEFAULT_DAYS} days up to \`until\``,
    )(...method);
    ApiFilter('until', { type: 'string', format: 'date' }, 'Last day in UTC, inclusive; defaults to today')(...method);
  };
}

const NOTE = `A message counts on the day it was created, in UTC. Statuses and answers count until ${RESULT_OPEN_DAYS} days after that day. By \`label\`, a message counts once for each label of its contact. By \`agent\`, messages that no user wrote are in one group. Deleted messages remain counted. Results are available for 400 days, at most ${MAX_RESULT_DAYS} days at a time.`;

@ApiTags('Account')
@Controller('console/v1')
export class ConsoleResultsController {
  constructor(
    private readonly messaging: MessagingClient,
    private readonly authors: MessageAuthors,
    private readonly names: AuditNames,
  ) {}

  @Get('results')
  @Roles('viewer')
  @ApiOperation({
    operationId: 'getResults',
    summary: 'Retrieve what became of messages, by template, job, label or agent',
    description: `${NOTE} \`computedAt\` and \`pendingDays\` state how current the figures are.`,
  })
  @ApiResultsFilters()
  @ApiAnswer(ResultsAnswer)
  @ApiRefusals('INVALID_VALUE')
  show(@SignedIn() { account }: ConsoleUser, @Query() query: ResultsQuery): Promise<Success<ResultsAnswer>> {
    return this.resultsOf(account.id, query);
  }

  @Get('results.csv')
  @Download()
  @Roles('viewer', { except: 'agent' })
  @ApiOperation({
    operationId: 'exportResults',
    summary: 'Download the results as CSV',
    description: `${NOTE} The file has at most ${MAX_RESULT_GROUPS} groups. Text that a spreadsheet program would interpret as a formula is prefixed with an apostrophe.`,
  })
  @ApiResultsFilters()
  @ApiProduces(CSV)
  @ApiResponse({ status: 200, description: 'The file, in UTF-8', content: FILE })
  @ApiRefusals('INVALID_VALUE', 'ROLE_NOT_ALLOWED')
  async file(
    @SignedIn() { account }: ConsoleUser,
    @Query() query: ResultsQuery,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const { groups, by, since, until } = await this.resultsOf(account.id, query);
    const lines = await csvLines(() => Promise.resolve({ rows: groups, nextCursor: null }), lineOf);
    const filename = `results-${by}-${since}-${until}.csv`;
    await sendCsv({ head: csvLine(COLUMNS), lines, filename }, { request, reply });
  }

  private async resultsOf(accountId: string, { by, ...query }: ResultsQuery): Promise<Success<ResultsAnswer>> {
    const range = rangeOf(query, Date.now());
    const reply = await this.messaging.getResults({ accountId, by, ...range });
    return { success: true, by, ...range, ...reply, groups: await this.named(accountId, by, reply.groups) };
  }

  /** Adds the current names of users and jobs. */
  private async named(accountId: string, by: ResultGrouping, groups: ResultGroup[]): Promise<ResultGroup[]> {
    const keys = groups.flatMap(({ key }) => key ?? []);
    if (by !== 'agent' && by !== 'job') return groups;
    const names = await (by === 'agent' ? this.authors.namesOf(accountId, keys) : this.names.ofJobs(accountId, keys));
    // A job without a name keeps the name of its template.
    const before = ({ name }: ResultGroup): string | null => (by === 'job' ? name : null);
    return groups.map((group) => ({ ...group, name: names.get(group.key ?? '') ?? before(group) }));
  }
}

/** @throws AppError INVALID_VALUE for a range that is empty or too long */
function rangeOf(
  { since, until }: Pick<ResultsQuery, 'since' | 'until'>,
  now: number,
): { since: string; until: string } {
  const last = until ?? dayOf(now);
  const first = since ?? dayOf(Date.parse(last) - (DEFAULT_DAYS - 1) * DAY_MS);
  const days = (Date.parse(last) - Date.parse(first)) / DAY_MS + 1;
  if (days < 1) throw fieldError('INVALID_VALUE', 'since', 'since must not be after until');
  if (days > MAX_RESULT_DAYS)
    throw fieldError('INVALID_VALUE', 'since', `a range has at most ${MAX_RESULT_DAYS} days, this one has ${days}`);
  return { since: first, until: last };
}

const dayOf = (time: number): string => new Date(time).toISOString().slice(0, 10);

/** Formats one CSV line. Numbers are not escaped as formulas, since spreadsheets could not sum them as text. */
function lineOf({ key, name, reasons, responses, medianResponseSeconds, ...figures }: ResultGroup): string {
  const numbers = [...FIGURES.map((figure) => figures[figure]), responses, medianResponseSeconds ?? ''].join(',');
  const failures = reasons.map(({ reason, messages }) => `${reason} ${messages}`).join(', ');
  return `${csvLine([key ?? '', name ?? '']).trimEnd()},${numbers},${csvLine([failures])}`;
}
