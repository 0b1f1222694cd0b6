import { Controller } from '@nestjs/common';
import { Payload } from '@nestjs/microservices';
import { EventHandler } from '@switchboard/broker';
import { UpstreamMessagesReceivedV1, upstreamMessagesReceivedV1 } from '@switchboard/contracts';
import { IngressHeartbeat } from './ingress-heartbeat';
import { CallbacksService } from './callbacks.service';

@Controller()
export class CallbacksController {
  private readonly underWay = new Set<Promise<void>>();

  constructor(
    private readonly callbacks: CallbacksService,
    private readonly heartbeat: IngressHeartbeat,
  ) {}

  @EventHandler(upstreamMessagesReceivedV1)
  async applyCallback(@Payload() callback: UpstreamMessagesReceivedV1): Promise<void> {
    if (callback.door) {
      // Messages are processed concurrently, and a heartbeat is processed fastest. It must not overtake earlier
      // callbacks.
      await Promise.allSettled(this.underWay);
      return this.heartbeat.recordHeartbeat(callback.door);
    }
    const applied = this.callbacks.applyCallback(callback);
    this.underWay.add(applied);
    try {
      await applied;
    } catch (error) {
      this.heartbeat.recordFailure();
      throw error;
    } finally {
      this.underWay.delete(applied);
    }
  }
}
