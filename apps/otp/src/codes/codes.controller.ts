import { Controller } from '@nestjs/common';
import { Ctx, Payload } from '@nestjs/microservices';
import { type Delivery, CommandHandler } from '@switchboard/broker';
import { VerifyCodeCommand, type VerifyCodeReply, verifyCodeV1 } from '@switchboard/contracts';
import { CodesService } from './codes.service';

@Controller()
export class CodesController {
  constructor(private readonly codes: CodesService) {}

  @CommandHandler(verifyCodeV1)
  async verify(
    @Payload() { accountId, clientId, phone, otp, attemptId }: VerifyCodeCommand,
    @Ctx() { messageId }: Delivery,
  ): Promise<VerifyCodeReply> {
    await this.codes.spendCode({ accountId, phone }, { id: attemptId ?? messageId, clientId, code: otp });
    return { verified: true };
  }
}
