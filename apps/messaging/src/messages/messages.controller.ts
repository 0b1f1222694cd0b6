import { Controller } from '@nestjs/common';
import { Payload } from '@nestjs/microservices';
import { CommandHandler } from '@switchboard/broker';
import {
  GetMessageCommand,
  type GetMessageReply,
  getMessageV1,
  ListMessagesCommand,
  type ListMessagesReply,
  listMessagesV1,
} from '@switchboard/contracts';
import { MessagesService } from './messages.service';

@Controller()
export class MessagesController {
  constructor(private readonly messages: MessagesService) {}

  @CommandHandler(getMessageV1)
  getMessage(@Payload() command: GetMessageCommand): Promise<GetMessageReply> {
    return this.messages.getMessage(command);
  }

  @CommandHandler(listMessagesV1)
  listMessages(@Payload() command: ListMessagesCommand): Promise<ListMessagesReply> {
    return this.messages.listMessages(command);
  }
}
