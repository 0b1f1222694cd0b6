import { Controller, Get, Inject, Param, Query } from '@nestjs/common';
import { ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import {
  Answer,
  AppError,
  type ListConversationMessagesCommand,
  type ListMessagesReply,
  ListOf,
} from '@switchboard/contracts';
import { CONFIG } from '@switchboard/platform';
import { MessagingClient } from '@switchboard/service-clients';
import { Roles } from '../decorators/roles.decorator';
import { type ConsoleUser, SignedIn } from '../request-context/console-user';
import type { GatewayConfig } from '../config';
import { PERSON_PARAMETER, requirePerson } from '../http/path-ids';
import { CursorPaged, CursorQuery } from '../pagination/page-query';
import { CountedPage, countedPage } from '../pagination/pagination';
import { ApiAnswer, ApiCursorPaging, ApiFilter, ApiRefusals, type Success } from '../openapi/decorators';
import { Conversation, ConversationFilters, conversationItem } from './conversation-item';
import { ContactAnswer, contactItem, FRAGMENT, FRAGMENT_SCHEMA } from '../contacts/contact-item';
import { ConsoleMessageList, listedMessage } from '../messages/console-messages.controller';

@Answer({ name: 'ConsoleConversationList' })
class ConsoleConversationList extends CountedPage {
  @ListOf(() => Conversation) conversations: Conversation[];
}

class ListConversationsQuery extends CursorPaged(ConversationFilters) {}

@ApiTags('Conversations')
@Controller('console/v1/conversations')
export class ConsoleConversationsController {
  constructor(
    @Inject(CONFIG) private readonly config: GatewayConfig,
    private readonly messaging: MessagingClient,
  ) {}

  @Get()
  @Roles('viewer')
  @ApiOperation({
    operationId: 'listConversations',
    summary: 'List conversations, most recent message first',
  })
  @ApiCursorPaging()
  @ApiFilter('search', FRAGMENT_SCHEMA, FRAGMENT)
  @ApiFilter('windowOpen', { type: 'boolean' }, 'Whether free-form messages can be sent now')
  @ApiAnswer(ConsoleConversationList)
  @ApiRefusals('INVALID_VALUE')
  async list(
    @SignedIn() { account }: ConsoleUser,
    @Query() query: ListConversationsQuery,
  ): Promise<Success<ConsoleConversationList>> {
    const reply = await this.messaging.listConversations({ accountId: account.id, page: 1, ...query });
    return { success: true, conversations: reply.conversations.map(conversationItem), ...countedPage(reply) };
  }

  @Get(':phone')
  @Roles('viewer')
  @ApiOperation({
    operationId: 'getConversation',
    summary: 'Retrieve the contact of a conversation, with its service windows',
  })
  @ApiParam(PERSON_PARAMETER)
  @ApiAnswer(ContactAnswer)
  @ApiRefusals('INVALID_PHONE', 'NOT_FOUND')
  async show(@SignedIn() { account }: ConsoleUser, @Param('phone') phone: string): Promise<Success<ContactAnswer>> {
    const reply = await this.messaging.getContact({ accountId: account.id, phone: requirePerson(phone) });
    return { success: true, contact: contactItem(reply) };
  }

  @Get(':phone/messages')
  @Roles('viewer')
  @ApiOperation({
    operationId: 'listConversationMessages',
    summary: 'List the messages of a conversation, newest first',
  })
  @ApiParam(PERSON_PARAMETER)
  @ApiCursorPaging()
  @ApiAnswer(ConsoleMessageList)
  @ApiRefusals('INVALID_PHONE', 'INVALID_VALUE', 'NOT_FOUND')
  async messages(
    @SignedIn() { account }: ConsoleUser,
    @Param('phone') phone: string,
    @Query() query: CursorQuery,
  ): Promise<Success<ConsoleMessageList>> {
    const wanted = { phone: requirePerson(phone), page: 1, ...query };
    const reply = await this.read(account.id, wanted);
    return {
      success: true,
      messages: reply.messages.map((message) => listedMessage(message, this.config.PUBLIC_BASE_URL)),
      ...countedPage(reply),
    };
  }

  /** Returns an empty list for a contact without messages, because the contact's page shows messages, too. */
  private async read(
    accountId: string,
    wanted: Omit<ListConversationMessagesCommand, 'accountId'>,
  ): Promise<ListMessagesReply> {
    try {
      return await this.messaging.listConversationMessages({ accountId, ...wanted });
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'NOT_FOUND') throw error;
      await this.messaging.getContact({ accountId, phone: wanted.phone });
      return { messages: [], total: 0, totalIsExact: true, hasNext: false, nextCursor: null };
    }
  }
}
