import { Controller } from '@nestjs/common';
import { Ctx, Payload } from '@nestjs/microservices';
import { type Delivery, EventHandler } from '@switchboard/broker';
import {
  BusinessLeftV1,
  businessLeftV1,
  NumberAddedV1,
  numberAddedV1,
  UpstreamTemplateChangedV1,
  upstreamTemplateChangedV1,
} from '@switchboard/contracts';
import { LeftBusinesses } from './left-businesses';
import { SyncRequests } from './sync-requests.service';

@Controller()
export class UpstreamEventsController {
  constructor(
    private readonly requests: SyncRequests,
    private readonly left: LeftBusinesses,
  ) {}

  @EventHandler(numberAddedV1)
  addAccount(@Payload() event: NumberAddedV1): Promise<void> {
    return this.requests.addAccount(event);
  }

  @EventHandler(businessLeftV1)
  leaveBusiness(@Payload() event: BusinessLeftV1): Promise<void> {
    return this.left.leave(event);
  }

  @EventHandler(upstreamTemplateChangedV1)
  recordCallback(@Payload() event: UpstreamTemplateChangedV1, @Ctx() delivery: Delivery): Promise<void> {
    return this.requests.recordCallback(event, delivery);
  }
}
