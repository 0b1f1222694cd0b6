import { Controller, Get, Inject, Param, Query } from '@nestjs/common';
import { ApiBearerAuth, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { CONFIG } from '@switchboard/platform';
import { type ApiClient, Client } from '../request-context/client';
import type { GatewayConfig } from '../config';
import { Paged } from '../pagination/page-query';
import { paginationOf } from '../pagination/pagination';
import { ApiAnswer, ApiPaging, ApiRefusals, type Success } from '../openapi/decorators';
import { ApiMessageFilters, MessageFilters } from './message-list';
import { MessageAnswer, messageItem, MessageList } from './message-record';
import { MessagesService } from './messages.service';

class ListMessagesQuery extends Paged(MessageFilters) {}

@ApiTags('Messages')
@ApiBearerAuth()
@Controller('v1/messages')
export class MessagesController {
  constructor(
    @Inject(CONFIG) private readonly config: GatewayConfig,
    private readonly messages: MessagesService,
  ) {}

  @Get()
  @ApiOperation({
    operationId: 'listMessages',
    summary: 'List messages, newest first',
    description: 'Returns the inbound and outbound messages of the account. Multiple filters are combined with AND.',
  })
  @ApiPaging()
  @ApiMessageFilters()
  @ApiAnswer(MessageList)
  @ApiRefusals('INVALID_PARAMETER', 'INVALID_PHONE', 'INVALID_VALUE')
  async list(@Client() client: ApiClient, @Query() query: ListMessagesQuery): Promise<Success<MessageList>> {
    const reply = await this.messages.list(client.account.id, query);
    return {
      success: true,
      messages: reply.messages.map((message) => messageItem(message, this.config.PUBLIC_BASE_URL)),
      pagination: paginationOf(query, reply),
    };
  }

  @Get(':id')
  @ApiOperation({
    operationId: 'getMessage',
    summary: 'Retrieve a message',
    description: 'A send with an unknown outcome has the `status` `unknown`.',
  })
  @ApiParam({
    name: 'id',
    description: "The service's `id`, or the ID assigned by the upstream platform",
    schema: { type: 'string', example: 'msg_01jd0000000000000000000000' },
  })
  @ApiAnswer(MessageAnswer)
  @ApiRefusals('NOT_FOUND')
  async read(@Client() client: ApiClient, @Param('id') id: string): Promise<Success<MessageAnswer>> {
    const message = await this.messages.find(client.account.id, id);
    return { success: true, message: messageItem(message, this.config.PUBLIC_BASE_URL) };
  }
}
