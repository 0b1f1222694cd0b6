import { Controller, Get, Query } from '@nestjs/common';
import { ApiBearerAuth, ApiOperation, ApiTags } from '@nestjs/swagger';
import { MessagingClient } from '@switchboard/service-clients';
import { type ApiClient, Client } from '../request-context/client';
import { AccountNoticeList } from './account-notice-list';
import { PageQuery } from '../pagination/page-query';
import { paginationOf } from '../pagination/pagination';
import { ApiAnswer, ApiPaging, ApiRefusals, type Success } from '../openapi/decorators';

@ApiTags('Account')
@ApiBearerAuth()
@Controller('v1/account-notices')
export class AccountNoticesController {
  constructor(private readonly messaging: MessagingClient) {}

  @Get()
  @ApiOperation({
    operationId: 'listAccountNotices',
    summary: 'List platform notices about the business account and its numbers, newest first',
    description:
      'Notices report restrictions, reviews, decisions about display names, and limits. Each notice is also sent as an `account_notice` event.',
  })
  @ApiPaging()
  @ApiAnswer(AccountNoticeList)
  @ApiRefusals('INVALID_PARAMETER', 'INVALID_VALUE')
  async list(@Client() client: ApiClient, @Query() page: PageQuery): Promise<Success<AccountNoticeList>> {
    const reply = await this.messaging.listAccountNotices({ accountId: client.account.id, ...page });
    return { success: true, notices: reply.notices, pagination: paginationOf(page, reply) };
  }
}
