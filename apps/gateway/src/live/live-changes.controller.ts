import { Controller } from '@nestjs/common';
import { Payload } from '@nestjs/microservices';
import { Broker, EventHandler } from '@switchboard/broker';
import { ConversationPresenceV1, conversationPresenceV1, DataChangedV1, dataChangedV1 } from '@switchboard/contracts';
import { LiveStreams } from './live-streams.service';

/** Passes the ids of changes to the dashboards connected to this gateway. Every gateway receives every change. */
@Controller()
export class LiveChangesController {
  constructor(
    private readonly streams: LiveStreams,
    broker: Broker,
  ) {
    broker.onBroadcastsMissed(() => streams.resync());
  }

  @EventHandler(dataChangedV1)
  dataChanged(@Payload() { changes }: DataChangedV1): void {
    for (const change of changes) this.streams.note(change);
  }

  @EventHandler(conversationPresenceV1)
  conversationPresence(@Payload() { accountId, ...presence }: ConversationPresenceV1): void {
    this.streams.showPresence(accountId, presence);
  }
}
