import { Controller, Get, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { MONTH_PATTERN } from '@switchboard/contracts';
import { Roles } from '../decorators/roles.decorator';
import { ApiAnswer, ApiFilter, ApiPaging, ApiRefusals, type Success } from '../openapi/decorators';
import { type ConsoleUser, SignedIn } from '../request-context/console-user';
import { JobPrices, JobPricesQuery } from './job-prices';
import { JobsService } from './jobs.service';

@ApiTags('Bulk jobs')
@Controller('console/v1/job-prices')
export class ConsoleJobPricesController {
  constructor(private readonly jobs: JobsService) {}

  @Get()
  @Roles('viewer')
  @ApiOperation({
    operationId: 'listJobPrices',
    summary: 'List the bulk jobs of a month with estimated and reported charges',
  })
  @ApiPaging()
  @ApiFilter(
    'month',
    { type: 'string', pattern: MONTH_PATTERN.source },
    'Month (UTC) in which the jobs were created; the current one by default',
  )
  @ApiAnswer(JobPrices)
  @ApiRefusals('INVALID_PARAMETER', 'INVALID_VALUE')
  async list(@SignedIn() { account }: ConsoleUser, @Query() query: JobPricesQuery): Promise<Success<JobPrices>> {
    return { success: true, ...(await this.jobs.listOfMonth(account.id, query)) };
  }
}
