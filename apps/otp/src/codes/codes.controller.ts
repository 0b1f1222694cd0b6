import { Controller } from '@nestjs/common';
import { Payload } from '@nestjs/microservices';
import { HandlesCommand } from '@switchboard/broker';
import { VerifyCodeCommand, type VerifyCodeReply, verifyCodeV1 } from '@switchboard/contracts';
import { CodesService } from './codes.service';

@Controller()
export class CodesController {
  constructor(private readonly codes: CodesService) {}

  @HandlesCommand(verifyCodeV1)
  async verify(@Payload() { accountId, phone, otp }: VerifyCodeCommand): Promise<VerifyCodeReply> {
    await this.codes.spendCode({ accountId, phone }, otp);
    return { verified: true };
  }
}
