import { Controller } from '@nestjs/common';
import { Ctx, Payload } from '@nestjs/microservices';
import { type Delivery, CommandHandler, TaskHandler } from '@switchboard/broker';
import {
  CodeUndeliveredV1,
  codeUndeliveredV1,
  SendCodeCommand,
  type SendCodeReply,
  sendCodeV1,
} from '@switchboard/contracts';
import { SendOutcomes } from './send-outcomes.service';
import { CodeSender } from './code-sender';

@Controller()
export class SendsController {
  constructor(
    private readonly sends: CodeSender,
    private readonly outcomes: SendOutcomes,
  ) {}

  @CommandHandler(sendCodeV1)
  sendCode(@Payload() command: SendCodeCommand, @Ctx() { deadline }: Delivery): Promise<SendCodeReply> {
    return this.sends.sendCode(command, deadline ?? performance.now() + sendCodeV1.timeoutMs);
  }

  @TaskHandler(codeUndeliveredV1)
  undelivered(@Payload() { accountId, messageId, upstreamId }: CodeUndeliveredV1): Promise<void> {
    return this.outcomes.undelivered({ accountId, messageId }, upstreamId);
  }
}
