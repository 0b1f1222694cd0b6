import { Controller } from '@nestjs/common';
import { Payload } from '@nestjs/microservices';
import { CommandHandler } from '@switchboard/broker';
import {
  type EventRetentionReply,
  GetEventRetentionCommand,
  getEventRetentionV1,
  RunEventRetentionCommand,
  type RunEventRetentionReply,
  runEventRetentionV1,
  SetEventRetentionCommand,
  setEventRetentionV1,
} from '@switchboard/contracts';
import { AccountRetention } from './account-retention';

@Controller()
export class AccountRetentionController {
  constructor(private readonly retention: AccountRetention) {}

  @CommandHandler(getEventRetentionV1)
  getEventRetention(@Payload() { accountId }: GetEventRetentionCommand): Promise<EventRetentionReply> {
    return this.retention.getDays(accountId);
  }

  @CommandHandler(setEventRetentionV1)
  setEventRetention(@Payload() { accountId, eventDays }: SetEventRetentionCommand): Promise<EventRetentionReply> {
    return this.retention.changeDays(accountId, eventDays);
  }

  @CommandHandler(runEventRetentionV1)
  runEventRetention(@Payload() { accountId, dryRun }: RunEventRetentionCommand): Promise<RunEventRetentionReply> {
    return dryRun ? this.retention.countAll(new Date(), accountId) : this.retention.removeStep(new Date(), accountId);
  }
}
