import { Controller } from '@nestjs/common';
import { Payload } from '@nestjs/microservices';
import { CommandHandler } from '@switchboard/broker';
import {
  GetJobChargesCommand,
  type GetJobChargesReply,
  getJobChargesV1,
  GetUsageCommand,
  type GetUsageReply,
  getUsageV1,
} from '@switchboard/contracts';
import { UsageService } from './usage.service';

@Controller()
export class UsageController {
  constructor(private readonly usage: UsageService) {}

  @CommandHandler(getUsageV1)
  getUsage(@Payload() command: GetUsageCommand): Promise<GetUsageReply> {
    return this.usage.usageOf(command);
  }

  @CommandHandler(getJobChargesV1)
  getJobCharges(@Payload() command: GetJobChargesCommand): Promise<GetJobChargesReply> {
    return this.usage.chargesOfJobs(command);
  }
}
