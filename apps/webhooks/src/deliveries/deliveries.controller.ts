import { Controller } from '@nestjs/common';
import { Payload } from '@nestjs/microservices';
import { TaskHandler } from '@switchboard/broker';
import { deliverEventV1, DeliverEventV1 } from '@switchboard/contracts';
import { failsWholeBatch } from '@switchboard/database';
import { Batcher } from '@switchboard/platform';
import { DataSource } from 'typeorm';
import { Dispatcher } from './dispatcher';
import { findDueEndpoints } from './sweeps.queries';

const BATCH_LIMIT = 500;
const BATCH_EVERY_MS = 10;

@Controller()
export class DeliveriesController {
  private readonly batcher = new Batcher<string, void>((deliveryIds) => this.enqueueAll(deliveryIds), {
    maxItems: BATCH_LIMIT,
    concurrency: 1,
    everyMs: BATCH_EVERY_MS,
    isCommonFailure: failsWholeBatch,
  });

  constructor(
    private readonly dataSource: DataSource,
    private readonly dispatcher: Dispatcher,
  ) {}

  /** Handles an expired retry timer. Only notifies the dispatcher, because a slow endpoint must not block the queue. */
  @TaskHandler(deliverEventV1)
  deliverEvent(@Payload() task: DeliverEventV1): Promise<void> {
    return this.batcher.add(task.deliveryId);
  }

  private async enqueueAll(deliveryIds: string[]): Promise<void[]> {
    for (const endpoint of await findDueEndpoints(this.dataSource, deliveryIds)) this.dispatcher.enqueue(endpoint);
    return [];
  }
}
