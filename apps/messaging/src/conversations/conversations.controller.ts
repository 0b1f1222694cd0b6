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
  listConversationMessagesV1,
  listConversationsV1,
  type ListMessagesReply,
} from '@switchboard/contracts';
import { MessagesService } from '../messages/messages.service';
import { ConversationsService } from './conversations.service';

@Controller()
export class ConversationsController {
  constructor(
    private readonly conversations: ConversationsService,
    private readonly messages: MessagesService,
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
  listConversationMessages(@Payload() command: ListConversationMessagesCommand): Promise<ListMessagesReply> {
    return this.messages.listConversationMessages(command);
  }
}
