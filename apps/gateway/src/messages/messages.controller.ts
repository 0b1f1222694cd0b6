import { Body, Controller, Get, HttpCode, Post, Query } from '@nestjs/common';
import { ApiBearerAuth, ApiBody, ApiOperation, ApiQuery, ApiTags } from '@nestjs/swagger';
import { Broker } from '@switchboard/broker';
import { listMessagesV1, newId, parseBody, SendMessageRequest, sendMessageV1 } from '@switchboard/contracts';
import { type ApiClient, Client } from '../access/client';
import { ApiAnswer, ApiRefusals, refTo } from '../reference/decorators';
import { SEND_ERRORS } from '../reference/errors';
import { parseMessageList } from './message-list';
import { messageItem } from './message-record';

@ApiTags('Messages')
@ApiBearerAuth()
@Controller('v1/messages')
export class MessagesController {
  constructor(private readonly broker: Broker) {}

  @Post('send')
  @HttpCode(200)
  @ApiOperation({ summary: 'Send one message', description: 'A 200 says that the upstream platform took the message; how it goes on is told by events and by `GET /v1/messages`.' })
  @ApiBody({ schema: refTo('SendMessageRequest') })
  @ApiAnswer('SendMessageResponse')
  @ApiRefusals(...SEND_ERRORS)
  async send(@Client() client: ApiClient, @Body() body: unknown): Promise<object> {
    const message = parseBody(SendMessageRequest, body);
    const command = { accountId: client.account.id, messageId: newId('msg'), message };
    // No answer in time does not mean not sent: the row is there and the reconciler settles it.
    const { id, upstreamId } = await this.broker.ask(sendMessageV1, command, { whenUnanswered: 'UPSTREAM_TIMEOUT' });
    return { success: true, message_id: upstreamId, status: 'accepted', id };
  }

  @Get()
  @ApiOperation({ summary: 'List messages, newest first' })
  @ApiQuery({ name: 'page', required: false, schema: { type: 'integer', minimum: 1, default: 1 } })
  @ApiQuery({ name: 'limit', required: false, description: 'Above 100 counts as 100', schema: { type: 'integer', minimum: 1, default: 20 } })
  @ApiQuery({ name: 'cursor', required: false, description: '`nextCursor` of the page before; takes the place of `page`', schema: { type: 'string' } })
  @ApiQuery({ name: 'direction', required: false, schema: { type: 'string', enum: ['inbound', 'outbound'] } })
  @ApiQuery({ name: 'status', required: false, schema: { type: 'string', enum: ['accepted', 'sent', 'delivered', 'read', 'failed', 'received'] } })
  @ApiQuery({ name: 'type', required: false, schema: { type: 'string' } })
  @ApiQuery({ name: 'phone', required: false, description: "The other side's number", schema: { type: 'string' } })
  @ApiAnswer('MessageList')
  @ApiRefusals('INVALID_PARAMETER', 'INVALID_PHONE', 'INVALID_VALUE')
  async list(@Client() client: ApiClient, @Query() query: Record<string, unknown>): Promise<object> {
    const wanted = parseMessageList(query);
    const { page, limit } = wanted;
    const reply = await this.broker.ask(listMessagesV1, { accountId: client.account.id, ...wanted });
    const { total, hasNext, nextCursor } = reply;
    return {
      success: true,
      messages: reply.messages.map(messageItem),
      pagination: { page, limit, total, totalPages: Math.ceil(total / limit), hasNext, nextCursor: nextCursor ?? null },
    };
  }
}
