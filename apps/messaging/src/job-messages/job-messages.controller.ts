import { Controller } from '@nestjs/common';
import { Ctx, Payload } from '@nestjs/microservices';
import { type Delivery, CommandHandler, TaskHandler } from '@switchboard/broker';
import {
  CheckJobCommand,
  type CheckJobReply,
  checkJobV1,
  FailJobMessagesV1,
  failJobMessagesV1,
  SendJobMessagesV1,
  sendJobMessagesV1,
} from '@switchboard/contracts';
import { JobCheckService } from './job-check.service';
import { JobMessagesService } from './job-messages.service';

@Controller()
export class JobMessagesController {
  constructor(
    private readonly checks: JobCheckService,
    private readonly messages: JobMessagesService,
  ) {}

  @CommandHandler(checkJobV1)
  checkJob(@Payload() command: CheckJobCommand): Promise<CheckJobReply> {
    return this.checks.checkJob(command);
  }

  @TaskHandler(sendJobMessagesV1)
  sendJobMessages(@Payload() task: SendJobMessagesV1, @Ctx() delivery: Delivery): Promise<void> {
    return this.messages.sendMessages(task, delivery);
  }

  @TaskHandler(failJobMessagesV1)
  failJobMessages(@Payload() task: FailJobMessagesV1): Promise<void> {
    return this.messages.failMessages(task);
  }
}
