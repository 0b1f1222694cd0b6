import { Controller, Get, Param, Query, Req, Res } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Roles } from '../decorators/roles.decorator';
import { Download } from '../rate-limits/read-places';
import { type ConsoleUser, SignedIn } from '../request-context/console-user';
import { requireId } from '../http/path-ids';
import { ApiRefusals } from '../openapi/decorators';
import { DownloadsService } from './downloads.service';
import { SampleQuery } from './excel-fields';
import {
  ApiResultsFile,
  ApiSampleSheet,
  ResultsQuery,
  RESULTS_DOC,
  SAMPLE_DOC,
  sendResults,
  sendSample,
} from './file-answers';

@ApiTags('Bulk jobs')
@Controller('console/v1/jobs')
export class ConsoleJobDownloadsController {
  constructor(private readonly downloads: DownloadsService) {}

  @Get('sample.xlsx')
  @Roles('viewer')
  @ApiOperation({
    operationId: 'getSampleSheet',
    summary: 'Download a spreadsheet to fill in',
    description: SAMPLE_DOC,
  })
  @ApiSampleSheet()
  @ApiRefusals('TEMPLATE_NOT_FOUND', 'INVALID_VALUE', 'TEXT_TOO_LONG')
  sample(@SignedIn() { account }: ConsoleUser, @Query() query: SampleQuery, @Res() reply: FastifyReply): Promise<void> {
    return sendSample(this.downloads, { accountId: account.id, query }, reply);
  }

  @Get(':jobId/results.csv')
  @Download()
  @Roles('viewer')
  @ApiOperation({
    operationId: 'getJobResultsCsv',
    summary: "Download a job's results as CSV",
    description: RESULTS_DOC,
  })
  @ApiResultsFile('csv')
  @ApiRefusals('INVALID_PARAMETER', 'NOT_FOUND')
  csv(
    @SignedIn() { account }: ConsoleUser,
    @Param('jobId') given: string,
    @Query() { status }: ResultsQuery,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const wanted = { accountId: account.id, jobId: requireId('job', given), status, kind: 'csv' as const };
    return sendResults(this.downloads, wanted, { request, reply });
  }

  @Get(':jobId/results.xlsx')
  @Download()
  @Roles('viewer')
  @ApiOperation({
    operationId: 'getJobResultsXlsx',
    summary: "Download a job's results as a spreadsheet",
    description: RESULTS_DOC,
  })
  @ApiResultsFile('xlsx')
  @ApiRefusals('INVALID_PARAMETER', 'NOT_FOUND')
  xlsx(
    @SignedIn() { account }: ConsoleUser,
    @Param('jobId') given: string,
    @Query() { status }: ResultsQuery,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const wanted = { accountId: account.id, jobId: requireId('job', given), status, kind: 'xlsx' as const };
    return sendResults(this.downloads, wanted, { request, reply });
  }
}
