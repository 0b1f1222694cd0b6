import { Controller } from '@nestjs/common';
import { Payload } from '@nestjs/microservices';
import { CommandHandler } from '@switchboard/broker';
import { ListRecipientsCommand, type ListRecipientsReply, listRecipientsV1 } from '@switchboard/contracts';
import { RecipientsService } from './recipients.service';

@Controller()
export class RecipientsController {
  constructor(private readonly recipients: RecipientsService) {}

  @CommandHandler(listRecipientsV1)
  listRecipients(@Payload() command: ListRecipientsCommand): Promise<ListRecipientsReply> {
    return this.recipients.listRecipients(command);
  }
}
