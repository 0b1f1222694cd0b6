import { applyDecorators } from '@nestjs/common';
import { ApiProduces, ApiResponse } from '@nestjs/swagger';
import { RECIPIENT_STATUSES, type RecipientStatus } from '@switchboard/contracts';
import { IsOptional } from 'class-validator';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { attachment } from '../http/attachment';
import { sendDownload } from '../http/send-download';
import { IsOneOf } from '../pagination/query-rules';
import { ApiFilter } from '../openapi/decorators';
import type { DownloadsService } from './downloads.service';
import type { SampleQuery } from './excel-fields';
import { csvFile, xlsxFile } from './result-files';

const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
const CSV = 'text/csv';
const KINDS = {
  csv: { produces: CSV, type: `${CSV}; charset=utf-8`, write: csvFile },
  xlsx: { produces: XLSX, type: XLSX, write: xlsxFile },
} as const;

/** The query of a results file. */
export class ResultsQuery {
  @IsOptional() @IsOneOf(RECIPIENT_STATUSES) status?: RecipientStatus;
}

/** How the API describes what a results file holds. */
export const RESULTS_DOC =
  'The file has one line per recipient, in the order of the request, with the state at the time of writing. An apostrophe stands before every text that a spreadsheet program would take for a formula.';

/** How the API describes a sheet to fill in. */
export const SAMPLE_DOC =
  "The sheet has a column for each variable of the template, and under them a row with the template's own samples: fill in the phone, or write over the row. Its second sheet explains the columns.";

const produces = (type: string, description: string): MethodDecorator =>
  applyDecorators(
    ApiProduces(type),
    ApiResponse({ status: 200, description, content: { [type]: { schema: { type: 'string', format: 'binary' } } } }),
  );

/** Describes an answer that is a results file. */
export function ApiResultsFile(kind: keyof typeof KINDS): MethodDecorator {
  return applyDecorators(
    ApiFilter('status', { type: 'string', enum: RECIPIENT_STATUSES }, 'Only the recipients in this state'),
    produces(KINDS[kind].produces, kind === 'csv' ? 'The file, in UTF-8 with a byte-order mark' : 'The spreadsheet'),
  );
}

/** Describes an answer that is a sheet to fill in, with what it may be asked for. */
export function ApiSampleSheet(): MethodDecorator {
  return applyDecorators(
    ApiFilter('language', { type: 'string', maxLength: 20 }, 'The first of its languages when absent'),
    ApiFilter(
      'templateName',
      { type: 'string', maxLength: 512 },
      'The template; only the columns that every template has when absent',
    ),
    produces(XLSX, 'The spreadsheet'),
  );
}

/** Sends a sheet to fill in. @throws AppError TEMPLATE_NOT_FOUND */
export async function sendSample(
  downloads: DownloadsService,
  { accountId, query }: { accountId: string; query: SampleQuery },
  reply: FastifyReply,
): Promise<void> {
  const file = await downloads.sample(accountId, query);
  await reply.headers(headersOf(XLSX, 'recipients.xlsx')).send(file);
}

/** Sends what became of a job's recipients. @throws AppError NOT_FOUND */
export async function sendResults(
  downloads: DownloadsService,
  { accountId, jobId, status, kind }: ResultsQuery & { accountId: string; jobId: string; kind: keyof typeof KINDS },
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
): Promise<void> {
  const pages = await downloads.results(accountId, jobId, status);
  const { type, write } = KINDS[kind];
  reply.headers(headersOf(type, filenameOf(jobId, kind, status)));
  if (request.method === 'HEAD') return void (await reply.send());
  await sendDownload(write(pages), { request, reply });
}

function filenameOf(jobId: string, kind: string, status: RecipientStatus | undefined): string {
  return `${jobId}${status === undefined ? '' : `-${status}`}.${kind}`;
}

function headersOf(type: string, filename: string): Record<string, string> {
  return {
    'content-type': type,
    'content-disposition': attachment(filename),
    'cache-control': 'private, no-store',
  };
}
