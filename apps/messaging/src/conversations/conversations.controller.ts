import { Controller } from '@nestjs/common';
import { Payload } from '@nestjs/microservices';
import { CommandHandler } from '@switchboard/broker';
import {
  CountConversationsCommand,
  type CountConversationsReply,
  countConversationsV1,
  ListConversationMessagesCommand,
  ListConversationsCommand,
  type ListConversationsReply,
  type ListConversationMessagesReply,
  listConversationMessagesV1,
  listConversationsV1,
} from '@switchboard/contracts';
import { ConversationsService } from './conversations.service';
import { ThreadService } from './thread.service';

@Controller()
export class ConversationsController {
  constructor(
    private readonly conversations: ConversationsService,
    private readonly thread: ThreadService,
  ) {}

  @CommandHandler(listConversationsV1)
  listConversations(@Payload() command: ListConversationsCommand): Promise<ListConversationsReply> {
    return this.conversations.listConversations(command);
  }

  @CommandHandler(countConversationsV1)
  countConversations(@Payload() command: CountConversationsCommand): Promise<CountConversationsReply> {
    return this.conversations.countConversations(command);
  }

  @CommandHandler(listConversationMessagesV1)
  listConversationMessages(
    @Payload() command: ListConversationMessagesCommand,
  ): Promise<ListConversationMessagesReply> {
    return this.thread.readPage(command);
  }
}
