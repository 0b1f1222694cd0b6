import { Controller } from '@nestjs/common';
import { Ctx, Payload } from '@nestjs/microservices';
import { type Delivery, CommandHandler } from '@switchboard/broker';
import {
  GetMessageCommand,
  type GetMessageReply,
  getMessageV1,
  GetSendCommand,
  type GetSendReply,
  getSendV1,
  ListMessagesCommand,
  type ListMessagesReply,
  listMessagesV1,
  type NoteOpenSendReply,
  noteOpenSendV1,
  SendMessageCommand,
  type SendMessageReply,
  sendMessageV1,
} from '@switchboard/contracts';
import { MessagesService } from './messages.service';
import { OpenSends } from './open-sends';
import { SendService } from './send.service';

@Controller()
export class MessagesController {
  constructor(
    private readonly sends: SendService,
    private readonly messages: MessagesService,
    private readonly openSends: OpenSends,
  ) {}

  @CommandHandler(sendMessageV1)
  sendMessage(@Payload() command: SendMessageCommand, @Ctx() delivery: Delivery): Promise<SendMessageReply> {
    return this.sends.sendMessage(command, delivery.deadline);
  }

  @CommandHandler(getSendV1)
  getSend(@Payload() command: GetSendCommand): Promise<GetSendReply> {
    return this.sends.getSend(command);
  }

  @CommandHandler(noteOpenSendV1)
  noteOpenSend(@Payload() command: SendMessageCommand): Promise<NoteOpenSendReply> {
    return this.openSends.note(command);
  }

  @CommandHandler(getMessageV1)
  getMessage(@Payload() command: GetMessageCommand): Promise<GetMessageReply> {
    return this.messages.getMessage(command);
  }

  @CommandHandler(listMessagesV1)
  listMessages(@Payload() command: ListMessagesCommand): Promise<ListMessagesReply> {
    return this.messages.listMessages(command);
  }
}
