import { Controller, Get, Inject, Param, Query } from '@nestjs/common';
import { ApiBearerAuth, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { CONFIG } from '@switchboard/platform';
import { MessagingClient } from '@switchboard/service-clients';
import { type ApiClient, Client } from '../request-context/client';
import type { GatewayConfig } from '../config';
import { PERSON_PARAMETER, requirePerson } from '../http/path-ids';
import { Paged, PageQuery } from '../pagination/page-query';
import { FRAGMENT } from '../contacts/contact-item';
import { paginationOf } from '../pagination/pagination';
import { FRAGMENT_SCHEMA } from '../pagination/query-rules';
import { messageItem, MessageList } from '../messages/message-record';
import { ApiAnswer, ApiFilter, ApiPaging, ApiRefusals, type Success } from '../openapi/decorators';
import { ConversationFilters, conversationItem, ConversationList } from './conversation-item';

class ListConversationsQuery extends Paged(ConversationFilters) {}

@ApiTags('Conversations')
@ApiBearerAuth()
@Controller('v1/conversations')
export class ConversationsController {
  constructor(
    @Inject(CONFIG) private readonly config: GatewayConfig,
    private readonly messaging: MessagingClient,
  ) {}

  @Get()
  @ApiOperation({
    operationId: 'listConversations',
    summary: 'List conversations, most recent message first',
    description: 'Returns one conversation per contact, with its newest message and the number of unread messages.',
  })
  @ApiPaging()
  @ApiFilter('search', FRAGMENT_SCHEMA, FRAGMENT)
  @ApiFilter('windowOpen', { type: 'boolean' }, 'Whether free-form messages can be sent now')
  @ApiAnswer(ConversationList)
  @ApiRefusals('INVALID_PARAMETER', 'INVALID_VALUE')
  async list(@Client() client: ApiClient, @Query() query: ListConversationsQuery): Promise<Success<ConversationList>> {
    const reply = await this.messaging.listConversations({ accountId: client.account.id, ...query });
    return {
      success: true,
      conversations: reply.conversations.map(conversationItem),
      pagination: paginationOf(query, reply),
    };
  }

  @Get(':phone/messages')
  @ApiOperation({
    operationId: 'listConversationMessages',
    summary: 'List the messages of a conversation, newest first',
    description: 'Accepts a user id instead of the phone number.',
  })
  @ApiParam(PERSON_PARAMETER)
  @ApiPaging()
  @ApiAnswer(MessageList)
  @ApiRefusals('INVALID_PARAMETER', 'INVALID_PHONE', 'INVALID_VALUE', 'NOT_FOUND')
  async listMessages(
    @Client() client: ApiClient,
    @Param('phone') phone: string,
    @Query() page: PageQuery,
  ): Promise<Success<MessageList>> {
    const reply = await this.messaging.listConversationMessages({
      accountId: client.account.id,
      phone: requirePerson(phone),
      ...page,
    });
    return {
      success: true,
      messages: reply.messages.map((message) => messageItem(message, this.config.PUBLIC_BASE_URL)),
      pagination: paginationOf(page, reply),
    };
  }
}
