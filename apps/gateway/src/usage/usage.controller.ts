import { Controller, Get, Query } from '@nestjs/common';
import { ApiBearerAuth, ApiOperation, ApiTags } from '@nestjs/swagger';
import { MessagingClient } from '@switchboard/service-clients';
import { type ApiClient, Client } from '../request-context/client';
import { ApiAnswer, ApiRefusals, type Success } from '../openapi/decorators';
import { ApiUsageFilters, USAGE_NOTE, USAGE_SUMMARY, UsageAnswer, usageOf, UsageQuery } from './usage-answer';

@ApiTags('Account')
@ApiBearerAuth()
@Controller('v1/usage')
export class UsageController {
  constructor(private readonly messaging: MessagingClient) {}

  @Get()
  @ApiOperation({ operationId: 'getUsage', summary: USAGE_SUMMARY, description: USAGE_NOTE })
  @ApiUsageFilters()
  @ApiAnswer(UsageAnswer)
  @ApiRefusals('INVALID_PARAMETER')
  show(@Client() client: ApiClient, @Query() query: UsageQuery): Promise<Success<UsageAnswer>> {
    return usageOf(this.messaging, client.account.id, query);
  }
}
