import { Controller } from '@nestjs/common';
import { Payload } from '@nestjs/microservices';
import { HandlesCommand } from '@switchboard/broker';
import {
  JobsErasePersonCommand,
  type JobsErasePersonReply,
  jobsErasePersonV1,
  ListRecipientsCommand,
  type ListRecipientsReply,
  listRecipientsV1,
} from '@switchboard/contracts';
import { EraseService } from './erase.service';
import { RecipientsService } from './recipients.service';

@Controller()
export class RecipientsController {
  constructor(
    private readonly recipients: RecipientsService,
    private readonly erasure: EraseService,
  ) {}

  @HandlesCommand(listRecipientsV1)
  listRecipients(@Payload() command: ListRecipientsCommand): Promise<ListRecipientsReply> {
    return this.recipients.listRecipients(command);
  }

  @HandlesCommand(jobsErasePersonV1)
  erasePerson(@Payload() command: JobsErasePersonCommand): Promise<JobsErasePersonReply> {
    return this.erasure.erase(command);
  }
}
