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
import { MessagesService } from '../messages/messages.service';
import { NotesService } from '../notes/notes.service';
import { ConversationsService } from './conversations.service';

@Controller()
export class ConversationsController {
  constructor(
    private readonly conversations: ConversationsService,
    private readonly messages: MessagesService,
    private readonly notes: NotesService,
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
  async listConversationMessages(
    @Payload() command: ListConversationMessagesCommand,
  ): Promise<ListConversationMessagesReply> {
    const page = await this.messages.listConversationMessages(command);
    return command.withNotes === true ? this.notes.addNotes(command, page) : page;
  }
}
