import { Controller, Get, Inject, Param, Query } from '@nestjs/common';
import { ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import {
  Answer,
  AppError,
  Doc,
  CONVERSATION_VIEWS,
  type ConversationView,
  type ListConversationMessagesCommand,
  LABEL_NAME_MAX,
  type ListConversationMessagesReply,
  ID_PATTERNS,
  ListOf,
  Nested,
  OrNull,
  QueueState,
} from '@switchboard/contracts';
import { CONFIG } from '@switchboard/platform';
import { MessagingClient } from '@switchboard/service-clients';
import { IsArray, IsObject, IsOptional, IsString } from 'class-validator';
import { Roles } from '../decorators/roles.decorator';
import { type ConsoleUser, SignedIn } from '../request-context/console-user';
import type { GatewayConfig } from '../config';
import { PERSON_PARAMETER, requirePerson } from '../http/path-ids';
import { CursorPaged, CursorQuery } from '../pagination/page-query';
import { CountedPage, countedPage } from '../pagination/pagination';
import { FRAGMENT_SCHEMA, IsLike, IsOneOf, IsRecordText } from '../pagination/query-rules';
import { ApiAnswer, ApiCursorPaging, ApiFilter, ApiRefusals, type Success } from '../openapi/decorators';
import { Conversation, ConversationFilters, conversationItem, ShownLastMessage } from './conversation-item';
import { ContactAnswer, contactItem, FRAGMENT, LABEL_FILTER, LABEL_SCHEMA } from '../contacts/contact-item';
import { ConsoleMessageList, listedMessage } from '../messages/console-messages.controller';
import { MessageAuthor, MessageAuthors } from '../messages/message-authors';
import { ThreadActivity, threadActivity } from './thread-activity';
import { ThreadNote, threadNote } from './thread-note';

class ConsoleLastMessage extends ShownLastMessage {
  @Doc('Template with the values of its header and body; only for templates')
  @IsOptional()
  @IsObject()
  template?: object;
  @Doc('Sender of the message; null for inbound messages, or if unknown')
  @OrNull()
  @Nested(() => MessageAuthor)
  sentBy: MessageAuthor | null;
}

class ConsoleConversation extends Conversation {
  @Nested(() => ConsoleLastMessage) override lastMessage: ConsoleLastMessage;
  @Nested(() => QueueState) queue: QueueState;
  @Doc('Names of the labels of the contact') @IsArray() @IsString({ each: true }) labels: string[];
}

@Answer({ name: 'ConsoleConversationList' })
class ConsoleConversationList extends CountedPage {
  @ListOf(() => ConsoleConversation) conversations: ConsoleConversation[];
}

@Answer({ name: 'ConsoleThread' })
class ConsoleThread extends ConsoleMessageList {
  @Doc('Internal notes of the period that the page covers, newest first. The first page has the newest notes')
  @ListOf(() => ThreadNote)
  notes: ThreadNote[];
  @Doc('Assignments and other changes of the queue of the same period, newest first')
  @ListOf(() => ThreadActivity)
  activities: ThreadActivity[];
}

class ListConversationsQuery extends CursorPaged(ConversationFilters) {
  @IsOptional() @IsOneOf(CONVERSATION_VIEWS) view?: ConversationView;
  @IsOptional() @IsRecordText(LABEL_NAME_MAX) label?: string;
  @IsOptional() @IsLike(ID_PATTERNS.usr, 'a user ID') assigneeId?: string;
}

/** State in a reply of the previous version, which has no queue. */
const NO_QUEUE: QueueState = { assigneeId: null, done: false, waitingSince: null };
const VIEW =
  "`unanswered`: the last message is the contact's, longest wait first; `mine`: assigned to you and not done; `unassigned`: the contact has written, and nobody is assigned; `all`: the default";

@ApiTags('Conversations')
@Controller('console/v1/conversations')
export class ConsoleConversationsController {
  constructor(
    @Inject(CONFIG) private readonly config: GatewayConfig,
    private readonly messaging: MessagingClient,
    private readonly authors: MessageAuthors,
  ) {}

  @Get()
  @Roles('viewer')
  @ApiOperation({
    operationId: 'listConversations',
    summary: 'List conversations, most recent message first, or the longest wait first',
  })
  @ApiCursorPaging()
  @ApiFilter('view', { enum: CONVERSATION_VIEWS }, VIEW)
  @ApiFilter('assigneeId', { type: 'string' }, 'ID of the user to whom the conversations are assigned')
  @ApiFilter('search', FRAGMENT_SCHEMA, FRAGMENT)
  @ApiFilter('windowOpen', { type: 'boolean' }, 'Whether free-form messages can be sent now')
  @ApiFilter('label', LABEL_SCHEMA, LABEL_FILTER)
  @ApiAnswer(ConsoleConversationList)
  @ApiRefusals('INVALID_VALUE')
  async list(
    @SignedIn() { account, userId }: ConsoleUser,
    @Query() query: ListConversationsQuery,
  ): Promise<Success<ConsoleConversationList>> {
    const mine = query.view === 'mine' && { assigneeId: userId };
    const reply = await this.messaging.listConversations({ accountId: account.id, page: 1, ...query, ...mine });
    const senders = await this.authors.of(
      account.id,
      reply.conversations.map(({ lastMessage }) => lastMessage),
    );
    const conversations = reply.conversations.map((conversation, index) => {
      const { lastMessage, ...item } = conversationItem(conversation);
      const { template } = conversation.lastMessage;
      return {
        ...item,
        lastMessage: { ...lastMessage, ...(template && { template }), sentBy: senders[index] ?? null },
        queue: conversation.queue ?? NO_QUEUE,
        labels: conversation.labels ?? [],
      };
    });
    return { success: true, conversations, ...countedPage(reply) };
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
    summary: 'List the messages, internal notes and activities of a conversation, newest first',
    description:
      'A page has up to `limit` messages, and the notes and activities of the same period. If these are more than `limit` of one kind, the page ends with the last of them, and has fewer messages. `total` counts messages only.',
  })
  @ApiParam(PERSON_PARAMETER)
  @ApiCursorPaging()
  @ApiAnswer(ConsoleThread)
  @ApiRefusals('INVALID_PHONE', 'INVALID_VALUE', 'NOT_FOUND')
  async messages(
    @SignedIn() { account }: ConsoleUser,
    @Param('phone') phone: string,
    @Query() query: CursorQuery,
  ): Promise<Success<ConsoleThread>> {
    const wanted = { phone: requirePerson(phone), page: 1, withNotes: true, ...query };
    const reply = await this.read(account.id, wanted);
    const { notes = [], activities = [] } = reply;
    const [authors, names] = await Promise.all([
      this.authors.of(account.id, reply.messages),
      this.authors.namesOf(account.id, [
        ...notes.map(({ authorId }) => authorId),
        ...activities.flatMap(({ actorId, assigneeId }) => [actorId ?? [], assigneeId ?? []].flat()),
      ]),
    ]);
    return {
      success: true,
      messages: reply.messages.map((message, index) =>
        listedMessage(message, authors[index], this.config.PUBLIC_BASE_URL),
      ),
      notes: notes.map((note) => threadNote(note, names)),
      activities: activities.map((activity) => threadActivity(activity, names)),
      ...countedPage(reply),
    };
  }

  /** Returns an empty list for a contact without messages, because the contact's page shows messages, too. */
  private async read(
    accountId: string,
    wanted: Omit<ListConversationMessagesCommand, 'accountId'>,
  ): Promise<ListConversationMessagesReply> {
    try {
      return await this.messaging.listConversationMessages({ accountId, ...wanted });
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'NOT_FOUND') throw error;
      await this.messaging.getContact({ accountId, phone: wanted.phone });
      return { messages: [], total: 0, totalIsExact: true, hasNext: false, nextCursor: null };
    }
  }
}
