import { Controller } from '@nestjs/common';
import { Payload } from '@nestjs/microservices';
import { HandlesTask } from '@switchboard/broker';
import { deliverEventV1, DeliverEventV1 } from '@switchboard/contracts';
import { Dispatcher } from './dispatcher';

@Controller()
export class DeliveriesController {
  constructor(private readonly dispatcher: Dispatcher) {}

  /** Returns as soon as the attempt has its place: a slow endpoint must not hold up the queue. */
  @HandlesTask(deliverEventV1)
  deliverEvent(@Payload() task: DeliverEventV1): Promise<void> {
    return this.dispatcher.deliverWhenDue(task.deliveryId);
  }
}
