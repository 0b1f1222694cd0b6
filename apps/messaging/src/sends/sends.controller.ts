import { Controller } from '@nestjs/common';
import { Ctx, Payload } from '@nestjs/microservices';
import { CommandHandler, type Delivery } from '@switchboard/broker';
import {
  GetSendCommand,
  type GetSendReply,
  getSendV1,
  type NoteOpenSendReply,
  noteOpenSendV1,
  SendMessageCommand,
  type SendMessageReply,
  sendMessageV1,
} from '@switchboard/contracts';
import { OpenSends } from './open-sends';
import { SendService } from './send.service';

@Controller()
export class SendsController {
  constructor(
    private readonly sends: SendService,
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
}
