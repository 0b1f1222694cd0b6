import { Controller, Get, Param, Query, Req, Res } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Roles } from '../decorators/roles.decorator';
import { type ConsoleUser, SignedIn } from '../request-context/console-user';
import { DownloadsService } from './downloads.service';
import { SampleQuery } from './excel-fields';
import { READABLE_DOC, ResultsFile, ResultsQuery, SampleSheet } from './file-responses';

@ApiTags('Bulk jobs')
@Controller('console/v1/jobs')
export class ConsoleJobDownloadsController {
  constructor(private readonly downloads: DownloadsService) {}

  @Get('sample.xlsx')
  @Roles('viewer')
  @SampleSheet()
  sample(@SignedIn() { account }: ConsoleUser, @Query() query: SampleQuery, @Res() reply: FastifyReply): Promise<void> {
    return this.downloads.sendSample(account.id, query, reply);
  }

  @Get(':jobId/results.csv')
  @Roles('viewer', { except: 'agent' })
  @ResultsFile('csv', 'ROLE_NOT_ALLOWED')
  csv(
    @SignedIn() { account }: ConsoleUser,
    @Param('jobId') jobId: string,
    @Query() { status }: ResultsQuery,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    return this.downloads.sendResults({ accountId: account.id, jobId, status, kind: 'csv' }, { request, reply });
  }

  @Get(':jobId/results.xlsx')
  @Roles('viewer', { except: 'agent' })
  @ResultsFile('xlsx', 'ROLE_NOT_ALLOWED')
  @ApiOperation({ description: READABLE_DOC })
  xlsx(
    @SignedIn() { account }: ConsoleUser,
    @Param('jobId') jobId: string,
    @Query() { status }: ResultsQuery,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    return this.downloads.sendReadableResults(account, { jobId, status }, { request, reply });
  }
}
