import { createHash } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { failsWholeBatch } from '@switchboard/database';
import { Batcher, injectTrace, type Logger, LOGGER } from '@switchboard/platform';
import { DataSource } from 'typeorm';
import { ClaimHolder } from '../deliveries/claim-holder';
import { Dispatcher } from '../deliveries/dispatcher';
import { OrderedIds } from '../ordered-ids';
import { type CustomerEvent, eventBody, messageIdsOf } from './customer-event';
import { EventBodies, type EventTrace } from '../deliveries/event-bodies';
import {
  findSubscribedEndpoints,
  insertEvents,
  type NewDelivery,
  type NewEvent,
  type Subscriber,
} from './events.queries';

/** Returns the deduplication key of a fact: the first half of a SHA-256 hash, formatted as a UUID. */
function eventKey(accountId: string, dedupKey: string): string {
  const hex = createHash('sha256').update(`${accountId}\n${dedupKey}`).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20, 32)}`;
}

const BATCH_LIMIT = 200;
const BATCH_EVERY_MS = 10;

/** Stores customers' events in batches and notifies the dispatcher of their deliveries. */
@Injectable()
export class EventsService {
  private readonly ids = new OrderedIds();
  private readonly inserts = new Batcher<NewEvent, boolean>((events) => this.insertBatch(events), {
    maxItems: BATCH_LIMIT,
    concurrency: 1,
    everyMs: BATCH_EVERY_MS,
    isCommonFailure: failsWholeBatch,
  });

  constructor(
    private readonly dataSource: DataSource,
    private readonly bodies: EventBodies,
    private readonly dispatcher: Dispatcher,
    private readonly claimHolder: ClaimHolder,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Stores an event once, with a delivery to each subscribed endpoint. Repeating it changes nothing. */
  async recordEvent(event: CustomerEvent): Promise<void> {
    const id = this.ids.next('evt');
    const { accountId, kind, dedupKey } = event;
    const isNew = await this.inserts.add({
      id,
      key: eventKey(accountId, dedupKey),
      event,
      body: eventBody(event, id),
      trace: traceOf(event),
    });
    if (!isNew) this.logger.debug({ accountId, kind, ...messageIdsOf(event) }, 'event.repeated');
  }

  /**
   * Stores an event for one endpoint, even if the endpoint is not subscribed to its kind.
   * @returns the id of the event
   */
  async recordEventFor(endpointId: string, event: CustomerEvent): Promise<string> {
    const id = this.ids.next('evt');
    const { accountId, messageId, dedupKey } = event;
    const stored: NewEvent = {
      id,
      key: eventKey(accountId, dedupKey),
      event,
      body: eventBody(event, id),
      trace: traceOf(event),
    };
    await this.insert([stored], [{ id: this.ids.next('dlv'), accountId, endpointId, eventId: id, messageId }]);
    return id;
  }

  private async insertBatch(batch: NewEvent[]): Promise<boolean[]> {
    const events = [...new Map(batch.map((event) => [event.key, event] as const).reverse()).values()].reverse();
    const subscribers = await this.subscribersOf(events);
    const stored = await this.insert(
      events,
      events.flatMap((event) => this.plan(event, subscribers.get(event.event.accountId) ?? [])),
    );
    return batch.map(({ id }) => stored.has(id));
  }

  private async insert(events: NewEvent[], deliveries: NewDelivery[]): Promise<Set<string>> {
    const stored = await insertEvents(this.dataSource, events, deliveries, this.claimHolder.holderOrNull);
    const due = deliveries.filter(({ eventId }) => stored.has(eventId));
    const withDeliveries = new Set(due.map(({ eventId }) => eventId));
    for (const { id, body, trace, event } of events)
      if (withDeliveries.has(id)) this.bodies.remember(id, { body, trace, ...messageIdsOf(event) });
    for (const { accountId, endpointId } of due) this.dispatcher.enqueue({ accountId, id: endpointId });
    this.report(
      events.filter(({ id }) => stored.has(id)),
      due,
    );
    return stored;
  }

  private async subscribersOf(events: NewEvent[]): Promise<Map<string, Subscriber[]>> {
    const subscribers = new Map<string, Subscriber[]>();
    for (const subscriber of await findSubscribedEndpoints(this.dataSource, [
      ...new Set(events.map(({ event }) => event.accountId)),
    ])) {
      subscribers.set(subscriber.accountId, [...(subscribers.get(subscriber.accountId) ?? []), subscriber]);
    }
    return subscribers;
  }

  private plan({ id, event }: NewEvent, subscribers: Subscriber[]): NewDelivery[] {
    const { accountId, kind, messageId } = event;
    return subscribers
      .filter(({ kinds }) => kinds === null || kinds.includes(kind))
      .map((subscriber) => ({
        id: this.ids.next('dlv'),
        accountId,
        endpointId: subscriber.id,
        eventId: id,
        messageId,
      }));
  }

  private report(events: NewEvent[], deliveries: NewDelivery[]): void {
    const planned = new Map<string, number>();
    for (const { eventId } of deliveries) planned.set(eventId, (planned.get(eventId) ?? 0) + 1);
    for (const { id, event } of events) {
      const { accountId, kind } = event;
      this.logger.debug(
        { eventId: id, accountId, kind, ...messageIdsOf(event), deliveries: planned.get(id) ?? 0 },
        'event.recorded',
      );
    }
  }
}

function traceOf({ sendTrace }: CustomerEvent): EventTrace {
  return { ...injectTrace(), ...(sendTrace !== undefined && { send: sendTrace }) };
}
