import { type BeforeApplicationShutdown, Inject, Injectable } from '@nestjs/common';
import { CONFIG, gauge, type Logger, LOGGER } from '@switchboard/platform';
import { DataSource } from 'typeorm';
import type { WebhooksConfig } from '../config';
import { CustomerHttp } from '../customer-http/customer-http';
import { AttemptService } from './attempt.service';
import { claimDelivery, type EndpointRef, findDueDelivery } from './deliveries.queries';
import { EndpointSlots } from './endpoint-slots';

/** When the service stops, running requests get this long before they are cut. */
const DRAIN_MS = 2_000;

const requestsInFlight = gauge('webhook_requests_in_flight', 'Requests to customers endpoints that run now');

/**
 * Decides which attempts run now. Tasks and the sweep only say that something is due: the claim in the database decides
 * who does it, so it may be said twice, or never, without harm.
 */
@Injectable()
export class Dispatcher implements BeforeApplicationShutdown {
  private readonly slots: EndpointSlots;
  private readonly running = new Set<Promise<void>>();
  private stopping = false;

  constructor(
    @Inject(CONFIG) config: WebhooksConfig,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly dataSource: DataSource,
    private readonly attempts: AttemptService,
    private readonly http: CustomerHttp,
  ) {
    this.slots = new EndpointSlots({ perEndpoint: config.WEBHOOK_CONCURRENCY_PER_ENDPOINT, total: config.WEBHOOK_CONCURRENCY });
  }

  /** Starts the attempt when it is due and its endpoint has a free slot; otherwise a running attempt or the sweep gets to it. */
  async deliverWhenDue(deliveryId: string): Promise<void> {
    const endpoint = await findDueDelivery(this.dataSource, deliveryId);
    if (endpoint) this.start(endpoint, deliveryId);
  }

  /** Works on everything that is due at an endpoint, with all its free slots. */
  workOff(endpoint: EndpointRef): void {
    while (this.start(endpoint, null));
  }

  /** Lets running requests end, then cuts the rest: those deliveries are given back and tried again by whoever runs next. */
  async beforeApplicationShutdown(): Promise<void> {
    this.stopping = true;
    const drained = Promise.allSettled(this.running);
    let timer: NodeJS.Timeout | undefined;
    const timeout = new Promise<void>((resolve) => (timer = setTimeout(resolve, DRAIN_MS)));
    await Promise.race([drained, timeout]);
    clearTimeout(timer);
    this.http.interruptAll();
    await drained;
  }

  /** @returns whether there was a slot */
  private start(endpoint: EndpointRef, deliveryId: string | null): boolean {
    if (this.stopping || !this.slots.tryTake(endpoint.id)) return false;
    requestsInFlight.set(this.slots.inFlight);
    const work = this.attemptWhileDue(endpoint, deliveryId)
      .catch((error: unknown) => this.logger.error({ err: error, endpointId: endpoint.id, accountId: endpoint.accountId }, 'delivery.postponed'))
      .finally(() => {
        this.slots.release(endpoint.id);
        this.running.delete(work);
        requestsInFlight.set(this.slots.inFlight);
      });
    this.running.add(work);
    return true;
  }

  /** One slot's work: the given delivery, or the oldest due one; then on, as long as others were turned away for want of a slot. */
  private async attemptWhileDue(endpoint: EndpointRef, deliveryId: string | null): Promise<void> {
    let wanted = deliveryId;
    do {
      const refusals = this.slots.refusalsOf(endpoint.id);
      const claim = await claimDelivery(this.dataSource, endpoint, wanted);
      if (claim) await this.attempts.perform(claim);
      else if (wanted === null) this.slots.settleRefusals(endpoint.id, refusals);
      wanted = null;
    } while (!this.stopping && this.slots.refusalsOf(endpoint.id) > 0);
  }
}
