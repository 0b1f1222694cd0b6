import { Controller, Get, Param, Query, Req, Res } from '@nestjs/common';
import { ApiBearerAuth, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type ApiClient, Client } from '../request-context/client';
import { Download } from '../rate-limits/read-places';
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

const JOB_PARAMETER = { name: 'jobId', schema: { type: 'string', example: 'job_01jd0000000000000000000000' } };

@ApiTags('Jobs')
@ApiBearerAuth()
@Controller('v1/jobs')
export class DownloadsController {
  constructor(private readonly downloads: DownloadsService) {}

  @Get('sample.xlsx')
  @ApiOperation({
    operationId: 'getSampleSheet',
    summary: 'Download a spreadsheet to fill in',
    description: SAMPLE_DOC,
  })
  @ApiSampleSheet()
  @ApiRefusals('TEMPLATE_NOT_FOUND', 'INVALID_VALUE', 'TEXT_TOO_LONG')
  sample(@Client() { account }: ApiClient, @Query() query: SampleQuery, @Res() reply: FastifyReply): Promise<void> {
    return sendSample(this.downloads, { accountId: account.id, query }, reply);
  }

  @Get(':jobId/results.csv')
  @Download()
  @ApiOperation({
    operationId: 'getJobResultsCsv',
    summary: "Download a job's results as CSV",
    description: RESULTS_DOC,
  })
  @ApiParam(JOB_PARAMETER)
  @ApiResultsFile('csv')
  @ApiRefusals('INVALID_PARAMETER', 'NOT_FOUND')
  csv(
    @Client() { account }: ApiClient,
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
  @ApiOperation({
    operationId: 'getJobResultsXlsx',
    summary: "Download a job's results as a spreadsheet",
    description: RESULTS_DOC,
  })
  @ApiParam(JOB_PARAMETER)
  @ApiResultsFile('xlsx')
  @ApiRefusals('INVALID_PARAMETER', 'NOT_FOUND')
  xlsx(
    @Client() { account }: ApiClient,
    @Param('jobId') given: string,
    @Query() { status }: ResultsQuery,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const wanted = { accountId: account.id, jobId: requireId('job', given), status, kind: 'xlsx' as const };
    return sendResults(this.downloads, wanted, { request, reply });
  }
}
