import { applyDecorators } from '@nestjs/common';
import { ApiOperation, ApiProduces, ApiResponse } from '@nestjs/swagger';
import { type ErrorCode, RECIPIENT_STATUSES, type RecipientStatus } from '@switchboard/contracts';
import { IsOptional } from 'class-validator';
import { attachment } from '../http/attachment';
import { IsOneOf } from '../pagination/query-rules';
import { ApiFilter, ApiRefusals } from '../openapi/decorators';
import { Download } from '../rate-limits/read-limiter';

const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
const CSV = 'text/csv';
const KINDS = {
  csv: {
    operationId: 'getJobResultsCsv',
    summary: 'Download the results of a job as CSV',
    produces: CSV,
    type: `${CSV}; charset=utf-8`,
    about: 'The file, in UTF-8 with a byte-order mark',
  },
  xlsx: {
    operationId: 'getJobResultsXlsx',
    summary: 'Download the results of a job as a spreadsheet',
    produces: XLSX,
    type: XLSX,
    about: 'The spreadsheet',
  },
} as const;

export type FileKind = keyof typeof KINDS;

export class ResultsQuery {
  @IsOptional() @IsOneOf(RECIPIENT_STATUSES) status?: RecipientStatus;
}

const RESULTS_DOC =
  'The file has one line per recipient, in the order of the request, with the state at the time of the download. Text that a spreadsheet program would interpret as a formula is prefixed with an apostrophe.';

/** Description of the spreadsheet for people. */
export const READABLE_DOC =
  "The file has one line per recipient, in the order of the request: its row number, phone number, template values, outcome, reason, and times in the account's time zone. Text that a spreadsheet program would interpret as a formula is prefixed with an apostrophe.";

const SAMPLE_DOC =
  "The first sheet has a column for each template variable and a row with the template's sample values. Fill in the phone number, or overwrite the row. The second sheet explains the columns.";

const produces = (type: string, description: string): MethodDecorator =>
  applyDecorators(
    ApiProduces(type),
    ApiResponse({ status: 200, description, content: { [type]: { schema: { type: 'string', format: 'binary' } } } }),
  );

/** @param refusals errors besides those of all routes for results */
export function ResultsFile(kind: FileKind, ...refusals: ErrorCode[]): MethodDecorator {
  const { operationId, summary, produces: type, about } = KINDS[kind];
  return applyDecorators(
    Download(),
    ApiOperation({ operationId, summary, description: RESULTS_DOC }),
    ApiFilter('status', { type: 'string', enum: RECIPIENT_STATUSES }, 'Only recipients in this state'),
    produces(type, about),
    ApiRefusals('INVALID_PARAMETER', 'NOT_FOUND', ...refusals),
  );
}

export function SampleSheet(): MethodDecorator {
  return applyDecorators(
    ApiOperation({
      operationId: 'getSampleSheet',
      summary: 'Download a spreadsheet to fill in',
      description: SAMPLE_DOC,
    }),
    ApiFilter(
      'language',
      { type: 'string', maxLength: 20 },
      'Language of the template; defaults to its first language',
    ),
    ApiFilter(
      'templateName',
      { type: 'string', maxLength: 512 },
      'Name of the template. If omitted, the file has only the columns common to all templates',
    ),
    produces(XLSX, 'The spreadsheet'),
    ApiRefusals('TEMPLATE_NOT_FOUND', 'INVALID_VALUE', 'TEXT_TOO_LONG'),
  );
}

export const SAMPLE_HEADERS = headersOf(XLSX, 'recipients.xlsx');

export function resultsHeaders(
  jobId: string,
  { status, kind }: { status: RecipientStatus | undefined; kind: FileKind },
): Record<string, string> {
  return headersOf(KINDS[kind].type, `${jobId}${status === undefined ? '' : `-${status}`}.${kind}`);
}

function headersOf(type: string, filename: string): Record<string, string> {
  return {
    'content-type': type,
    'content-disposition': attachment(filename),
    'cache-control': 'private, no-store',
  };
}
