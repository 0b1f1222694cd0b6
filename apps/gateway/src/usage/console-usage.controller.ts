import { Controller, Get, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { MessagingClient } from '@switchboard/service-clients';
import { Roles } from '../decorators/roles.decorator';
import { type ConsoleUser, SignedIn } from '../request-context/console-user';
import { ApiAnswer, ApiRefusals, type Success } from '../openapi/decorators';
import { ApiUsageFilters, USAGE_NOTE, USAGE_SUMMARY, UsageAnswer, usageOf, UsageQuery } from './usage-answer';

@ApiTags('Account')
@Controller('console/v1/usage')
export class ConsoleUsageController {
  constructor(private readonly messaging: MessagingClient) {}

  @Get()
  @Roles('viewer')
  @ApiOperation({ operationId: 'getUsage', summary: USAGE_SUMMARY, description: USAGE_NOTE })
  @ApiUsageFilters()
  @ApiAnswer(UsageAnswer)
  @ApiRefusals()
  show(@SignedIn() { account }: ConsoleUser, @Query() query: UsageQuery): Promise<Success<UsageAnswer>> {
    return usageOf(this.messaging, account.id, query);
  }
}
