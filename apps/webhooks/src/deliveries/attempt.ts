import { Inject, Injectable } from '@nestjs/common';
import { WEBHOOK_ERROR_CLASSES } from '@switchboard/contracts';
import {
  deliveryHeaders,
  counter,
  entryBytes,
  extractTrace,
  histogram,
  inSpan,
  linkTo,
  type Logger,
  LOGGER,
  MIB,
  SecretBox,
  SpanKind,
} from '@switchboard/platform';
import { LRUCache } from 'lru-cache';
import { InterruptedError } from '../customer-http/call-error';
import { type CallOutcome, CustomerHttp, type CustomerRequest } from '../customer-http/customer-http';
import { secretPlace } from '../secrets/secret-places';
import type { Claim } from './claims.queries';
import { EventBodies, type EventBody, type EventTrace, type MessageIds } from './event-bodies';
import { Results } from './results';
import { type NextStep, nextStep } from './retry-schedule';

const attemptsMade = counter('webhook_attempts_total', 'Requests to customers endpoints, by outcome', {
  outcome: ['delivered', 'interrupted', ...WEBHOOK_ERROR_CLASSES],
});
const attemptSeconds = histogram('webhook_attempt_duration_seconds', 'Duration of requests to customers endpoints');
const lateSeconds = histogram('webhook_attempt_lateness_seconds', 'Time from when an attempt was due to its start');

/**
 * Makes claimed attempts: prepares the request, calls the endpoint, records the result and schedules the next step. A
 * failure of the customer's server is a recorded result. Only internal errors are thrown.
 */
@Injectable()
export class Attempts {
  private readonly secrets: OpenedSecrets;

  constructor(
    box: SecretBox,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly http: CustomerHttp,
    private readonly results: Results,
    private readonly bodies: EventBodies,
  ) {
    this.secrets = new OpenedSecrets(box);
  }

  /**
   * Makes one attempt per claim. Each promise settles when its attempt ends.
   * @returns true per attempt if another delivery may now be due at the endpoint
   */
  makeAll(claims: Claim[]): Promise<boolean>[] {
    const bodies = this.bodies.of(claims.map(({ eventId }) => eventId));
    return claims.map((claim) => this.make(claim, bodies));
  }

  /** Aborts all running requests and requeues their deliveries. */
  interruptAll(): void {
    this.http.interruptAll();
  }

  private async make(claim: Claim, bodies: Promise<Map<string, EventBody>>): Promise<boolean> {
    const { deliveryId, eventId, attempt } = claim;
    const { request, trace, ids } = await this.prepare(claim, bodies);
    const attributes = { deliveryId, eventId, attempt, ...ids };
    return inSpan('webhook attempt', { kind: SpanKind.CLIENT, parent: extractTrace(trace), attributes }, async () => {
      linkTo([trace.send]);
      lateSeconds.observe(claim.late);
      const outcome = await this.call(request);
      if (!outcome) return this.release(claim, ids);
      const next = nextStep(claim, outcome);
      const moved = await this.results.record({ claim, outcome, next });
      this.report(claim, outcome, { ids, state: next.state, nextAttemptAt: moved?.nextAttemptAt });
      return moved?.isFollowed ?? false;
    });
  }

  /**
   * Prepares the request before anything is sent. If this fails, for example because of a wrong ENCRYPTION_KEY, the
   * attempt does not count.
   */
  private async prepare(
    claim: Claim,
    bodies: Promise<Map<string, EventBody>>,
  ): Promise<{ request: CustomerRequest; trace: EventTrace; ids: MessageIds }> {
    try {
      const event = (await bodies).get(claim.eventId);
      if (event) {
        const { body, trace, messageId, upstreamId } = event;
        return { request: this.requestOf(claim, body), trace, ids: { messageId, upstreamId } };
      }
    } catch (error) {
      await this.results.undo(claim);
      throw new Error('the request of a delivery could not be prepared', { cause: error });
    }
    // Let the claim expire and the attempt count, because the event will never be available again.
    throw new Error(`the event of the delivery ${claim.deliveryId} no longer exists`);
  }

  private requestOf(
    { url, eventId, endpointId, attempt, startedAt, sealedSecret, sealedNextSecret, acceptsAny2xx }: Claim,
    body: Buffer,
  ): CustomerRequest {
    const secret = this.secrets.open(sealedSecret, endpointId);
    const nextSecret = sealedNextSecret === null ? undefined : this.secrets.open(sealedNextSecret, endpointId);
    const timestamp = Math.floor(startedAt);
    return {
      method: 'POST',
      url,
      body,
      acceptsAny2xx,
      headers: deliveryHeaders({ eventId, attempt, timestamp, body, secret, nextSecret }),
    };
  }

  /** @returns undefined if shutdown aborted the request */
  private async call(request: CustomerRequest): Promise<CallOutcome | undefined> {
    try {
      return await this.http.call(request);
    } catch (error) {
      if (error instanceof InterruptedError) return undefined;
      throw error;
    }
  }

  private async release(claim: Claim, ids: MessageIds): Promise<false> {
    const { deliveryId, eventId, attempt } = claim;
    await this.results.release(claim);
    attemptsMade.inc({ outcome: 'interrupted' });
    this.logger.warn({ deliveryId, eventId, ...ids, attempt }, 'delivery.interrupted');
    return false;
  }

  private report(
    claim: Claim,
    outcome: CallOutcome,
    next: { ids: MessageIds; state: NextStep['state']; nextAttemptAt?: Date | null },
  ): void {
    const { deliveryId, eventId, endpointId, accountId, attempt } = claim;
    const { durationMs, statusCode, errorClass } = outcome;
    attemptsMade.inc({ outcome: errorClass ?? 'delivered' });
    attemptSeconds.observe(durationMs / 1000);
    const nextAttemptAt = next.nextAttemptAt ?? undefined;
    this.logger.info(
      {
        deliveryId,
        eventId,
        ...next.ids,
        endpointId,
        accountId,
        attempt,
        durationMs,
        statusCode,
        errorClass,
        state: next.state,
        nextAttemptAt,
      },
      'delivery.attempted',
    );
  }
}

/** Enough for several thousand secrets. */
const OPEN_BYTES = 4 * MIB;

/** Decrypts secrets and caches recently used ones, because every delivery is signed. */
class OpenedSecrets {
  private readonly opened = new LRUCache<string, string>({
    maxSize: OPEN_BYTES,
    sizeCalculation: (secret, key) => entryBytes(key, secret),
  });

  constructor(private readonly box: SecretBox) {}

  /** @throws Error if the secret was encrypted with another key or for another endpoint */
  open(sealed: string, endpointId: string): string {
    const key = `${endpointId} ${sealed}`;
    const known = this.opened.get(key);
    if (known !== undefined) return known;
    const secret = this.box.open(sealed, secretPlace(endpointId));
    this.opened.set(key, secret);
    return secret;
  }
}
