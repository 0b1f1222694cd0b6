import { Controller } from '@nestjs/common';
import { Payload } from '@nestjs/microservices';
import { CommandHandler } from '@switchboard/broker';
import {
  ChangeLabelCommand,
  changeLabelV1,
  CreateLabelCommand,
  createLabelV1,
  DeleteLabelCommand,
  type DeleteLabelReply,
  deleteLabelV1,
  LabelContactCommand,
  type LabelContactReply,
  labelContactV1,
  type LabelReply,
  ListLabelsCommand,
  type ListLabelsReply,
  listLabelsV1,
  SetContactLabelsCommand,
  setContactLabelsV1,
  type UpdateContactReply,
} from '@switchboard/contracts';
import { ContactLabelsService } from './contact-labels.service';
import { LabelsService } from './labels.service';

@Controller()
export class LabelsController {
  constructor(
    private readonly labels: LabelsService,
    private readonly contactLabels: ContactLabelsService,
  ) {}

  @CommandHandler(listLabelsV1)
  listLabels(@Payload() command: ListLabelsCommand): Promise<ListLabelsReply> {
    return this.labels.listLabels(command);
  }

  @CommandHandler(createLabelV1)
  createLabel(@Payload() command: CreateLabelCommand): Promise<LabelReply> {
    return this.labels.createLabel(command);
  }

  @CommandHandler(changeLabelV1)
  changeLabel(@Payload() command: ChangeLabelCommand): Promise<LabelReply> {
    return this.labels.changeLabel(command);
  }

  @CommandHandler(deleteLabelV1)
  deleteLabel(@Payload() command: DeleteLabelCommand): Promise<DeleteLabelReply> {
    return this.labels.deleteLabel(command);
  }

  @CommandHandler(labelContactV1)
  labelContact(@Payload() command: LabelContactCommand): Promise<LabelContactReply> {
    return this.contactLabels.labelContact(command);
  }

  @CommandHandler(setContactLabelsV1)
  setLabels(@Payload() command: SetContactLabelsCommand): Promise<UpdateContactReply> {
    return this.contactLabels.setLabels(command);
  }
}
