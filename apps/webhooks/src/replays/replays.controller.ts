import { Controller } from '@nestjs/common';
import { Payload } from '@nestjs/microservices';
import { CommandHandler } from '@switchboard/broker';
import {
  type CountDroppedReply,
  countDroppedV1,
  GetReplayCommand,
  type GetReplayReply,
  getReplayV1,
  ListReplaysCommand,
  type ListReplaysReply,
  listReplaysV1,
  ReplayDroppedCommand,
  type ReplayDroppedReply,
  replayDroppedV1,
  ReplayEventCommand,
  type ReplayEventReply,
  replayEventV1,
} from '@switchboard/contracts';
import { ReplaysService } from './replays.service';

@Controller()
export class ReplaysController {
  constructor(private readonly replays: ReplaysService) {}

  @CommandHandler(replayEventV1)
  async replayEvent(@Payload() command: ReplayEventCommand): Promise<ReplayEventReply> {
    return { deliveries: await this.replays.replayEvent(command) };
  }

  @CommandHandler(replayDroppedV1)
  async replayDropped(@Payload() command: ReplayDroppedCommand): Promise<ReplayDroppedReply> {
    return { replay: await this.replays.replayDropped(command) };
  }

  @CommandHandler(countDroppedV1)
  countDropped(@Payload() command: ReplayDroppedCommand): Promise<CountDroppedReply> {
    return this.replays.countDropped(command);
  }

  @CommandHandler(listReplaysV1)
  listReplays(@Payload() command: ListReplaysCommand): Promise<ListReplaysReply> {
    return this.replays.listReplays(command);
  }

  @CommandHandler(getReplayV1)
  async getReplay(@Payload() { accountId, replayId }: GetReplayCommand): Promise<GetReplayReply> {
    return { replay: await this.replays.getReplay(accountId, replayId) };
  }
}
