import { Controller, Get, Inject, Query } from '@nestjs/common';
import { ApiBearerAuth, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Broker } from '@switchboard/broker';
import { LISTED_TYPES, listMessagesV1 } from '@switchboard/contracts';
import { CONFIG } from '@switchboard/platform';
import { type ApiClient, Client } from '../access/client';
import type { GatewayConfig } from '../config';
import { paginationOf } from '../lists/pagination';
import { ApiAnswer, ApiFilter, ApiPaging, ApiRefusals } from '../reference/decorators';
import { oneOfTexts, phone, text, time } from '../reference/schema';
import { parseMessageList } from './message-list';
import { messageItem } from './message-record';

@ApiTags('Messages')
@ApiBearerAuth()
@Controller('v1/messages')
export class MessagesController {
  constructor(
    @Inject(CONFIG) private readonly config: GatewayConfig,
    private readonly broker: Broker,
  ) {}

  @Get()
  @ApiOperation({ operationId: 'listMessages', summary: 'List messages, newest first' })
  @ApiPaging()
  @ApiFilter('direction', oneOfTexts(['inbound', 'outbound']))
  @ApiFilter('status', oneOfTexts(['accepted', 'sent', 'delivered', 'read', 'failed', 'received']))
  @ApiFilter('type', oneOfTexts(LISTED_TYPES))
  @ApiFilter('phone', phone, "The other side's number")
  @ApiFilter('jobId', text())
  @ApiFilter('since', time, 'From this time on')
  @ApiFilter('until', time, 'Before this time')
  @ApiAnswer('MessageList')
  @ApiRefusals('INVALID_PARAMETER', 'INVALID_PHONE', 'INVALID_VALUE')
  async list(@Client() client: ApiClient, @Query() query: Record<string, unknown>): Promise<object> {
    const wanted = parseMessageList(query);
    const reply = await this.broker.ask(listMessagesV1, { accountId: client.account.id, ...wanted });
    return { success: true, messages: reply.messages.map((message) => messageItem(message, this.config.PUBLIC_BASE_URL)), pagination: paginationOf(wanted, reply) };
  }
}
