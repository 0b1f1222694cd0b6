import { Controller } from '@nestjs/common';
import { Payload } from '@nestjs/microservices';
import { CommandHandler } from '@switchboard/broker';
import {
  LabelContactCommand,
  type LabelContactReply,
  labelContactV1,
  SetContactLabelsCommand,
  setContactLabelsV1,
  type UpdateContactReply,
} from '@switchboard/contracts';
import { ContactLabelsService } from './contact-labels.service';

@Controller()
export class ContactLabelsController {
  constructor(private readonly contactLabels: ContactLabelsService) {}

  @CommandHandler(labelContactV1)
  labelContact(@Payload() command: LabelContactCommand): Promise<LabelContactReply> {
    return this.contactLabels.labelContact(command);
  }

  @CommandHandler(setContactLabelsV1)
  setLabels(@Payload() command: SetContactLabelsCommand): Promise<UpdateContactReply> {
    return this.contactLabels.setLabels(command);
  }
}
