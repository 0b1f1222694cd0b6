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
  type LabelReply,
  ListLabelsCommand,
  type ListLabelsReply,
  listLabelsV1,
} from '@switchboard/contracts';
import { LabelsService } from './labels.service';

@Controller()
export class LabelsController {
  constructor(private readonly labels: LabelsService) {}

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
}
