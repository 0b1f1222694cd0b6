import { Controller } from '@nestjs/common';
import { Ctx, Payload } from '@nestjs/microservices';
import { type Delivery, HandlesCommand } from '@switchboard/broker';
import { SendCodeCommand, type SendCodeReply, sendCodeV1 } from '@switchboard/contracts';
import { SendService } from './send.service';

@Controller()
export class SendsController {
  constructor(private readonly sends: SendService) {}

  @HandlesCommand(sendCodeV1)
  sendCode(@Payload() command: SendCodeCommand, @Ctx() { deadline }: Delivery): Promise<SendCodeReply> {
    return this.sends.sendCode(command, deadline ?? performance.now() + sendCodeV1.timeoutMs);
  }
}
