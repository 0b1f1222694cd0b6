import { Controller, Get, Param, Query, Req, Res } from '@nestjs/common';
import { ApiBearerAuth, ApiParam, ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type ApiClient, Client } from '../request-context/client';
import { DownloadsService } from './downloads.service';
import { SampleQuery } from './excel-fields';
import { ResultsFile, ResultsQuery, SampleSheet } from './file-responses';

const JOB_PARAMETER = { name: 'jobId', schema: { type: 'string', example: 'job_01jd0000000000000000000000' } };

@ApiTags('Jobs')
@ApiBearerAuth()
@Controller('v1/jobs')
export class DownloadsController {
  constructor(private readonly downloads: DownloadsService) {}

  @Get('sample.xlsx')
  @SampleSheet()
  sample(@Client() { account }: ApiClient, @Query() query: SampleQuery, @Res() reply: FastifyReply): Promise<void> {
    return this.downloads.sendSample(account.id, query, reply);
  }

  @Get(':jobId/results.csv')
  @ApiParam(JOB_PARAMETER)
  @ResultsFile('csv')
  csv(
    @Client() { account }: ApiClient,
    @Param('jobId') jobId: string,
    @Query() { status }: ResultsQuery,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    return this.downloads.sendResults({ accountId: account.id, jobId, status, kind: 'csv' }, { request, reply });
  }

  @Get(':jobId/results.xlsx')
  @ApiParam(JOB_PARAMETER)
  @ResultsFile('xlsx')
  xlsx(
    @Client() { account }: ApiClient,
    @Param('jobId') jobId: string,
    @Query() { status }: ResultsQuery,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    return this.downloads.sendResults({ accountId: account.id, jobId, status, kind: 'xlsx' }, { request, reply });
  }
}
