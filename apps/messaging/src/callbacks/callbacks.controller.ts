import { Controller } from '@nestjs/common';
import { Payload } from '@nestjs/microservices';
import { HandlesEvent } from '@switchboard/broker';
import { UpstreamMessagesReceivedV1, upstreamMessagesReceivedV1 } from '@switchboard/contracts';
import { CallbackDoor } from '../reconcile/callback-door';
import { CallbacksService } from './callbacks.service';

@Controller()
export class CallbacksController {
  constructor(
    private readonly callbacks: CallbacksService,
    private readonly door: CallbackDoor,
  ) {}

  @HandlesEvent(upstreamMessagesReceivedV1)
  applyCallback(@Payload() callback: UpstreamMessagesReceivedV1): Promise<void> {
    if (callback.door) return this.door.noteBeat(callback.door);
    return this.callbacks.applyCallback(callback);
  }
}
