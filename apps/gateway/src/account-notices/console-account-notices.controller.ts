import { Controller, Get, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { AccountNoticeRecord, Answer, ListOf, OrNull } from '@switchboard/contracts';
import { MessagingClient } from '@switchboard/service-clients';
import { IsString } from 'class-validator';
import { Roles } from '../decorators/roles.decorator';
import { type ConsoleUser, SignedIn } from '../request-context/console-user';
import { CursorQuery } from '../pagination/page-query';
import { ApiAnswer, ApiCursorPaging, ApiRefusals, type Success } from '../openapi/decorators';

@Answer({ name: 'AccountNotices' })
class NoticesAnswer {
  @ListOf(() => AccountNoticeRecord) notices: AccountNoticeRecord[];
  @OrNull() @IsString() nextCursor: string | null;
}

@ApiTags('Numbers')
@Controller('console/v1/account-notices')
export class ConsoleAccountNoticesController {
  constructor(private readonly messaging: MessagingClient) {}

  @Get()
  @Roles('viewer')
  @ApiOperation({
    operationId: 'listAccountNotices',
    summary: 'List platform notices about the business account and its numbers, newest first',
  })
  @ApiCursorPaging()
  @ApiAnswer(NoticesAnswer)
  @ApiRefusals()
  async list(@SignedIn() { account }: ConsoleUser, @Query() query: CursorQuery): Promise<Success<NoticesAnswer>> {
    const { notices, nextCursor } = await this.messaging.listAccountNotices({
      accountId: account.id,
      page: 1,
      ...query,
    });
    return { success: true, notices, nextCursor };
  }
}
