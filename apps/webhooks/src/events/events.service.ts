import { Inject, Injectable } from '@nestjs/common';
import { deliverEventV1, newId } from '@switchboard/contracts';
import { Transactions } from '@switchboard/database';
import { injectTrace, type Logger, LOGGER } from '@switchboard/platform';
import { type CustomerEvent, eventBody } from './customer-event';
import { insertDeliveries, insertEvent, type NewDelivery } from './events.queries';

@Injectable()
export class EventsService {
  constructor(
    private readonly transactions: Transactions,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Stores a customer's event once, with a delivery to each enabled endpoint; reporting it again changes nothing. */
  async recordEvent(event: CustomerEvent): Promise<void> {
    const id = newId('evt');
    const deliveries = await this.transactions.run(async (tx) => {
      const endpointIds = await insertEvent(tx, { id, event, body: eventBody(event, id), trace: injectTrace() });
      const planned = endpointIds?.map((endpointId): NewDelivery => ({ id: newId('dlv'), endpointId }));
      if (!planned?.length) return planned;
      await insertDeliveries(tx, { id, accountId: event.accountId }, planned);
      for (const delivery of planned) tx.enqueue(deliverEventV1, { deliveryId: delivery.id });
      return planned;
    });
    const { accountId, kind, messageId } = event;
    if (!deliveries) return this.logger.debug({ accountId, kind, messageId }, 'event.repeated');
    this.logger.info({ eventId: id, accountId, kind, messageId, deliveries: deliveries.length }, 'event.recorded');
  }
}
