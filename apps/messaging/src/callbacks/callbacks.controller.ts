import { Controller } from '@nestjs/common';
import { Payload } from '@nestjs/microservices';
import { HandlesEvent } from '@switchboard/broker';
import { UpstreamMessagesReceivedV1, upstreamMessagesReceivedV1 } from '@switchboard/contracts';
import { CallbacksService } from './callbacks.service';

@Controller()
export class CallbacksController {
  constructor(private readonly callbacks: CallbacksService) {}

  @HandlesEvent(upstreamMessagesReceivedV1)
  applyCallback(@Payload() callback: UpstreamMessagesReceivedV1): Promise<void> {
    return this.callbacks.applyCallback(callback);
  }
}
