import { Controller } from '@nestjs/common';
import { Ctx, Payload } from '@nestjs/microservices';
import { type Delivery, HandlesEvent } from '@switchboard/broker';
import {
  NumberAddedV1,
  numberAddedV1,
  UpstreamTemplateChangedV1,
  upstreamTemplateChangedV1,
} from '@switchboard/contracts';
import { SyncRequests } from './sync-requests.service';

@Controller()
export class UpstreamEventsController {
  constructor(private readonly requests: SyncRequests) {}

  @HandlesEvent(numberAddedV1)
  addAccount(@Payload() event: NumberAddedV1): Promise<void> {
    return this.requests.addAccount(event);
  }

  @HandlesEvent(upstreamTemplateChangedV1)
  recordCallback(@Payload() event: UpstreamTemplateChangedV1, @Ctx() delivery: Delivery): Promise<void> {
    return this.requests.recordCallback(event, delivery);
  }
}
