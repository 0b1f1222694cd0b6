import { Controller, Get, Inject, Param, Query } from '@nestjs/common';
import { ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import {
  Answer,
  AppError,
  Doc,
  ListOf,
  type MessageRecord,
  Nested,
  OrNull,
  WebhookEventRecord,
} from '@switchboard/contracts';
import { CONFIG } from '@switchboard/platform';
import { WebhooksClient } from '@switchboard/service-clients';
import { IsString } from 'class-validator';
import { Roles } from '../decorators/roles.decorator';
import { type ConsoleUser, SignedIn } from '../request-context/console-user';
import type { GatewayConfig } from '../config';
import { CursorPaged } from '../pagination/page-query';
import { CountedPage, countedPage } from '../pagination/pagination';
import { FRAGMENT_SCHEMA } from '../pagination/query-rules';
import { ApiAnswer, ApiCursorPaging, ApiFilter, ApiRefusals, type Success } from '../openapi/decorators';
import { ApiMessageFilters, ConsoleMessageFilters } from './message-list';
import { MessageAuthor, MessageAuthors } from './message-authors';
import { Message, messageItem } from './message-record';
import { MessagesService } from './messages.service';

const TEXT_FILTER =
  'Part of the text or caption, within the first 1,000 characters. The search ignores case, accents and spaces, and excludes templates and one-time passwords. A page scans a bounded number of messages: `nextCursor` continues with older ones, even after a page without matches';

/** Maximum events per message, which normally has one per status. */
const MOST_EVENTS = 100;

class AuthoredMessage extends Message {
  @Doc('Who sent the message; null if unknown, and for inbound messages')
  @OrNull()
  @Nested(() => MessageAuthor)
  sentBy: MessageAuthor | null;
}

class ConsoleMessage extends AuthoredMessage {
  @Doc('Your name for the contact; null if unknown') @OrNull() @IsString() contactName: string | null;
}

@Answer({ name: 'ConsoleMessageList' })
export class ConsoleMessageList extends CountedPage {
  @ListOf(() => ConsoleMessage) messages: ConsoleMessage[];
}

export function listedMessage(
  message: MessageRecord,
  sentBy: MessageAuthor | null | undefined,
  publicBaseUrl: string,
): ConsoleMessage {
  return {
    ...messageItem(message, publicBaseUrl),
    sentBy: sentBy ?? null,
    contactName: message.contactName ?? null,
  };
}

@Answer({ name: 'ConsoleMessageAnswer' })
class ConsoleMessageAnswer {
  @Nested(() => AuthoredMessage) message: AuthoredMessage;
  @Doc('Webhook events about the message, newest first; null while the webhooks service is unavailable')
  @OrNull()
  @ListOf(() => WebhookEventRecord)
  webhookEvents: WebhookEventRecord[] | null;
}

class ListMessagesQuery extends CursorPaged(ConsoleMessageFilters) {}

@ApiTags('Messages')
@Controller('console/v1/messages')
export class ConsoleMessagesController {
  constructor(
    @Inject(CONFIG) private readonly config: GatewayConfig,
    private readonly messages: MessagesService,
    private readonly authors: MessageAuthors,
    private readonly webhooks: WebhooksClient,
  ) {}

  @Get()
  @Roles('viewer')
  @ApiOperation({ operationId: 'listMessages', summary: 'List messages, newest first' })
  @ApiCursorPaging()
  @ApiMessageFilters()
  @ApiFilter('text', FRAGMENT_SCHEMA, TEXT_FILTER)
  @ApiAnswer(ConsoleMessageList)
  @ApiRefusals('INVALID_PARAMETER', 'INVALID_PHONE', 'INVALID_VALUE')
  async list(
    @SignedIn() { account }: ConsoleUser,
    @Query() query: ListMessagesQuery,
  ): Promise<Success<ConsoleMessageList>> {
    const reply = await this.messages.list(account.id, { page: 1, ...query });
    const authors = await this.authors.of(account.id, reply.messages);
    const messages = reply.messages.map((message, index) =>
      listedMessage(message, authors[index], this.config.PUBLIC_BASE_URL),
    );
    return { success: true, messages, ...countedPage(reply) };
  }

  @Get(':id')
  @Roles('viewer')
  @ApiOperation({
    operationId: 'getMessage',
    summary: 'Retrieve a message with the webhook events about it',
    description: 'A send with an unknown outcome has the `status` `unknown`.',
  })
  @ApiParam({ name: 'id', description: "The service's `id`, or the ID assigned by the upstream platform" })
  @ApiAnswer(ConsoleMessageAnswer)
  @ApiRefusals('NOT_FOUND')
  async show(@SignedIn() { account }: ConsoleUser, @Param('id') id: string): Promise<Success<ConsoleMessageAnswer>> {
    const message = await this.messages.find(account.id, id);
    const [sentBy = null] = await this.authors.of(account.id, [message]);
    const shown = { ...messageItem(message, this.config.PUBLIC_BASE_URL), sentBy };
    return { success: true, message: shown, webhookEvents: await this.eventsOf(account.id, message) };
  }

  /** Returns null if the events are unavailable, so that the message is still shown. */
  private async eventsOf(accountId: string, { id, upstreamId }: MessageRecord): Promise<WebhookEventRecord[] | null> {
    const wanted = { accountId, limit: MOST_EVENTS, messageId: upstreamId ?? id };
    try {
      return (await this.webhooks.listEvents(wanted)).events;
    } catch (error) {
      if (error instanceof AppError && error.status >= 500) return null;
      throw error;
    }
  }
}
