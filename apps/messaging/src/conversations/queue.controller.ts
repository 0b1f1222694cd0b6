import { Controller } from '@nestjs/common';
import { Payload } from '@nestjs/microservices';
import { CommandHandler, EventHandler } from '@switchboard/broker';
import {
  AgentLeftV1,
  agentLeftV1,
  ChangeConversationCommand,
  type ChangeConversationReply,
  changeConversationV1,
  ListActivitiesCommand,
  type ListActivitiesReply,
  listActivitiesV1,
} from '@switchboard/contracts';
import { ActivitiesService } from './activities.service';
import { QueueService } from './queue.service';

@Controller()
export class QueueController {
  constructor(
    private readonly queue: QueueService,
    private readonly activities: ActivitiesService,
  ) {}

  @CommandHandler(changeConversationV1)
  changeConversation(@Payload() command: ChangeConversationCommand): Promise<ChangeConversationReply> {
    return this.queue.changeConversation(command);
  }

  @CommandHandler(listActivitiesV1)
  listActivities(@Payload() command: ListActivitiesCommand): Promise<ListActivitiesReply> {
    return this.activities.listActivities(command);
  }

  @EventHandler(agentLeftV1)
  agentLeft(@Payload() event: AgentLeftV1): Promise<void> {
    return this.queue.unassignAll(event);
  }
}
