import type { Readable } from 'node:stream';
import { Controller, Get, Param, Query, Req, Res } from '@nestjs/common';
import { ApiBearerAuth, ApiOperation, ApiParam, ApiProduces, ApiResponse, ApiTags } from '@nestjs/swagger';
import { AppError, isId, parseBody, type RecipientRecord } from '@switchboard/contracts';
import contentDisposition from 'content-disposition';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type ApiClient, Client } from '../../caller/client';
import { Download } from '../../access/read-places';
import { ApiFilter, ApiRefusals } from '../../openapi/decorators';
import { DownloadsService } from './downloads.service';
import { SampleQuery } from './excel-fields';
import { csvFile, xlsxFile } from './result-files';

const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
const CSV = 'text/csv';
const FILE = { schema: { type: 'string', format: 'binary' } };
const JOB_PARAMETER = { name: 'jobId', schema: { type: 'string', example: 'job_01jd0000000000000000000000' } };
const RESULTS =
  'The file has one line per recipient, in the order of the request, with the state at the time of writing. An apostrophe stands before every text that a spreadsheet program would take for a formula.';

interface FileAnswer {
  request: FastifyRequest;
  reply: FastifyReply;
  type: string;
  filename: string;
}

@ApiTags('Jobs')
@ApiBearerAuth()
@Controller('v1/jobs')
export class DownloadsController {
  constructor(private readonly downloads: DownloadsService) {}

  @Get('sample.xlsx')
  @ApiOperation({
    operationId: 'getSampleSheet',
    summary: 'Download a spreadsheet to fill in',
    description: 'The sheet has a column for each variable of the template. Its second sheet explains the columns.',
  })
  @ApiFilter(
    'templateName',
    { type: 'string', maxLength: 512 },
    'The template; only the columns that every template has when absent',
  )
  @ApiFilter('language', { type: 'string', maxLength: 20 }, 'The first of its languages when absent')
  @ApiProduces(XLSX)
  @ApiResponse({ status: 200, description: 'The spreadsheet', content: { [XLSX]: FILE } })
  @ApiRefusals('TEMPLATE_NOT_FOUND', 'INVALID_VALUE', 'TEXT_TOO_LONG')
  async sample(
    @Client() client: ApiClient,
    @Query() query: Record<string, unknown>,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const file = await this.downloads.sample(client.account.id, parseBody(SampleQuery, query));
    await reply.headers(headersOf({ type: XLSX, filename: 'recipients.xlsx' })).send(file);
  }

  @Get(':jobId/results.csv')
  @Download()
  @ApiOperation({ operationId: 'getJobResultsCsv', summary: "Download a job's results as CSV", description: RESULTS })
  @ApiParam(JOB_PARAMETER)
  @ApiProduces(CSV)
  @ApiResponse({ status: 200, description: 'The file, in UTF-8', content: { [CSV]: FILE } })
  @ApiRefusals('NOT_FOUND')
  async csv(
    @Client() client: ApiClient,
    @Param('jobId') jobId: string,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const pages = await this.results(client, jobId);
    await send(() => csvFile(pages), { request, reply, type: `${CSV}; charset=utf-8`, filename: `${jobId}.csv` });
  }

  @Get(':jobId/results.xlsx')
  @Download()
  @ApiOperation({
    operationId: 'getJobResultsXlsx',
    summary: "Download a job's results as a spreadsheet",
    description: RESULTS,
  })
  @ApiParam(JOB_PARAMETER)
  @ApiProduces(XLSX)
  @ApiResponse({ status: 200, description: 'The spreadsheet', content: { [XLSX]: FILE } })
  @ApiRefusals('NOT_FOUND')
  async xlsx(
    @Client() client: ApiClient,
    @Param('jobId') jobId: string,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const pages = await this.results(client, jobId);
    await send(() => xlsxFile(pages), { request, reply, type: XLSX, filename: `${jobId}.xlsx` });
  }

  private results({ account }: ApiClient, jobId: string): Promise<AsyncGenerator<RecipientRecord[]>> {
    if (!isId('job', jobId)) throw new AppError('NOT_FOUND');
    return this.downloads.results(account.id, jobId);
  }
}

function headersOf({ type, filename }: Pick<FileAnswer, 'type' | 'filename'>): Record<string, string> {
  return {
    'content-type': type,
    'content-disposition': contentDisposition(filename),
    'cache-control': 'private, no-store',
  };
}

/** Sends a file while it is written; what breaks in the middle breaks the connection off, as its status is out. */
async function send(open: () => Readable, { request, reply, ...what }: FileAnswer): Promise<void> {
  reply.headers(headersOf(what));
  if (request.method === 'HEAD') return void (await reply.send());
  const file = open();
  // What a caller who has gone leaves unread.
  reply.raw.once('close', () => file.destroy());
  await reply.send(file);
}
