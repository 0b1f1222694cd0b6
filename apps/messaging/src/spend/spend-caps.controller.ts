import { Controller } from '@nestjs/common';
import { Payload } from '@nestjs/microservices';
import { CommandHandler } from '@switchboard/broker';
import {
  GetSpendCapCommand,
  getSpendCapV1,
  SetSpendCapCommand,
  setSpendCapV1,
  type SpendCapReply,
} from '@switchboard/contracts';
import { SpendCapsService } from './spend-caps.service';

@Controller()
export class SpendCapsController {
  constructor(private readonly caps: SpendCapsService) {}

  @CommandHandler(getSpendCapV1)
  async getSpendCap(@Payload() { accountId }: GetSpendCapCommand): Promise<SpendCapReply> {
    return { spendCap: await this.caps.find(accountId) };
  }

  @CommandHandler(setSpendCapV1)
  async setSpendCap(@Payload() { accountId, cap }: SetSpendCapCommand): Promise<SpendCapReply> {
    if (cap) await this.caps.set(accountId, cap);
    else await this.caps.clear(accountId);
    return { spendCap: await this.caps.find(accountId) };
  }
}
