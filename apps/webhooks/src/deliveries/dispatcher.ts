import { setTimeout as sleep } from 'node:timers/promises';
import { type BeforeApplicationShutdown, Inject, Injectable } from '@nestjs/common';
import { CONFIG, FailureLog, gauge, type Logger, LOGGER } from '@switchboard/platform';
import { DataSource } from 'typeorm';
import type { WebhooksConfig } from '../config';
import { Attempts } from './attempt';
import { ClaimHolder } from './claim-holder';
import { type Claim, claimDue } from './claims.queries';
import { type EndpointRef, FairQueue, type Turn } from './fair-queue';

/** Maximum number of endpoints per claim. */
const TURNS_PER_CLAIM = 100;
/** Minimum interval between claims. A few large claims cost less than many small ones. */
const CLAIM_EVERY_MS = 4;
/** Delay before the next claim, when another process is claiming at the endpoint or when the database is down. */
const BUSY_AGAIN_MS = 10;
const FAILED_AGAIN_MS = 500;
/** Time that running requests have to finish at shutdown. After that, they are aborted. */
const DRAIN_MS = 2_000;

const requestsInFlight = gauge('webhook_requests_in_flight', 'Requests to customers endpoints that run now');

/**
 * Decides which attempts run now. Intake, timers and the sweep only notify it that a delivery is due. The claim in the
 * database decides which process makes the attempt, so duplicate or lost notifications are harmless.
 */
@Injectable()
export class Dispatcher implements BeforeApplicationShutdown {
  private readonly queue: FairQueue;
  private readonly running = new Set<Promise<void>>();
  private claiming?: Promise<void>;
  private claimedAt = 0;
  private stopping = false;
  private readonly failures: FailureLog;

  constructor(
    @Inject(CONFIG) private readonly config: WebhooksConfig,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly dataSource: DataSource,
    private readonly attempts: Attempts,
    private readonly claimHolder: ClaimHolder,
  ) {
    this.failures = new FailureLog(logger, 'delivery-claim');
    this.queue = new FairQueue({
      perEndpoint: config.WEBHOOK_CONCURRENCY_PER_ENDPOINT,
      total: config.WEBHOOK_CONCURRENCY,
    });
  }

  /**
   * Records that a delivery is due at the endpoint. Returns immediately: a slow endpoint delays only its own
   * deliveries.
   */
  enqueue(endpoint: EndpointRef): void {
    this.queue.enqueue(endpoint);
    this.claimSoon();
  }

  /** Waits for running requests, then aborts the remaining ones. Another process repeats those deliveries. */
  async beforeApplicationShutdown(): Promise<void> {
    this.stopping = true;
    await this.claiming;
    const drained = Promise.allSettled(this.running);
    const timeout = new AbortController();
    await Promise.race([drained, sleep(DRAIN_MS, undefined, { signal: timeout.signal }).catch(() => undefined)]);
    timeout.abort();
    this.attempts.interruptAll();
    await drained;
  }

  /** Runs one claim at a time. The next claim covers all deliveries that become due meanwhile. */
  private claimSoon(): void {
    this.claiming ??= this.claimWhileDue();
  }

  private async claimWhileDue(): Promise<void> {
    // Combine notifications that arrive at the same time into one claim.
    await sleep(Math.max(0, this.claimedAt + CLAIM_EVERY_MS - performance.now()));
    for (let turns = this.takeTurns(); turns.length > 0; turns = this.takeTurns()) {
      this.claimedAt = performance.now();
      try {
        await this.claimTurns(turns);
        this.failures.succeeded();
      } catch (error) {
        this.failures.failed(error, { endpoints: turns.length });
        this.comeBack(turns, FAILED_AGAIN_MS);
      }
      await sleep(Math.max(0, this.claimedAt + CLAIM_EVERY_MS - performance.now()));
    }
    // No await between the last check and this line: any later notification must start a new claim.
    this.claiming = undefined;
  }

  private takeTurns(): Turn[] {
    return this.stopping ? [] : this.queue.takeTurns(TURNS_PER_CLAIM);
  }

  private async claimTurns(turns: Turn[]): Promise<void> {
    const options = { defaultLimit: this.config.WEBHOOK_CONCURRENCY_PER_ENDPOINT, holder: this.claimHolder.holder };
    const { claims, busy } = await claimDue(this.dataSource, turns, options);
    const byEndpoint = new Map<string, Claim[]>();
    for (const claim of claims) byEndpoint.set(claim.endpointId, [...(byEndpoint.get(claim.endpointId) ?? []), claim]);
    for (const turn of turns) {
      const own = byEndpoint.get(turn.id) ?? [];
      if (!busy.has(turn.id)) this.queue.claimed(turn, own.length, own[0]?.limit);
    }
    const later = turns.filter(({ id }) => busy.has(id));
    this.comeBack(later, BUSY_AGAIN_MS);
    this.start(claims);
  }

  /** Requeues the endpoints for a later claim. */
  private comeBack(turns: Turn[], afterMs: number): void {
    if (turns.length === 0) return;
    for (const turn of turns) this.queue.claimed(turn, 0);
    setTimeout(() => turns.forEach((turn) => this.enqueue(turn)), afterMs).unref();
  }

  private start(claims: Claim[]): void {
    this.attempts.makeAll(claims).forEach((attempt, index) => {
      const { endpointId, accountId, deliveryId, eventId } = claims[index] as Claim;
      const endpoint = { id: endpointId, accountId };
      const work = attempt
        .then((isFollowed) => {
          if (isFollowed) this.queue.enqueue(endpoint);
        })
        .catch((error: unknown) =>
          this.logger.error({ err: error, deliveryId, eventId, accountId }, 'delivery.postponed'),
        )
        .finally(() => {
          this.running.delete(work);
          this.queue.release(endpoint);
          requestsInFlight.set(this.queue.inFlight);
          this.claimSoon();
        });
      this.running.add(work);
    });
    requestsInFlight.set(this.queue.inFlight);
  }
}
