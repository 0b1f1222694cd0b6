import { Inject, Injectable } from '@nestjs/common';
import {
  counter,
  extractTrace,
  histogram,
  inSpan,
  type Logger,
  LOGGER,
  SecretBox,
  SpanKind,
} from '@switchboard/platform';
import { InterruptedError } from '../customer-http/call-error';
import { type CallOutcome, CustomerHttp, type CustomerRequest } from '../customer-http/customer-http';
import { EventBodies, type EventBody } from '../events/event-bodies';
import { AttemptLog } from './attempt-log';
import type { Claim } from './claims.queries';
import { OpenedSecrets } from './opened-secrets';
import { type NextStep, nextStep } from './retry-schedule';
import { deliveryHeaders } from './signature';

const attemptsMade = counter('webhook_attempts_total', 'Requests to customers endpoints, by outcome', ['outcome']);
const attemptSeconds = histogram('webhook_attempt_duration_seconds', 'Duration of requests to customers endpoints');
const lateSeconds = histogram('webhook_attempt_lateness_seconds', 'Time from when an attempt was due to its start');

/**
 * Makes the attempts that were claimed. A customer's failure is a recorded result; only failures of ours are thrown.
 */
@Injectable()
export class AttemptService {
  private readonly secrets: OpenedSecrets;

  constructor(
    box: SecretBox,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly http: CustomerHttp,
    private readonly log: AttemptLog,
    private readonly bodies: EventBodies,
  ) {
    this.secrets = new OpenedSecrets(box);
  }

  /**
   * Makes one attempt each and writes down what came of it and what is next; each promise ends with its own attempt.
   * @returns whether something else may be due at the endpoint now
   */
  performAll(claims: Claim[]): Promise<boolean>[] {
    const bodies = this.bodies.of(claims.map(({ eventId }) => eventId));
    return claims.map((claim) => this.perform(claim, bodies));
  }

  /** Cuts every running request; its delivery is given back. */
  interruptAll(): void {
    this.http.interruptAll();
  }

  private async perform(claim: Claim, bodies: Promise<Map<string, EventBody>>): Promise<boolean> {
    const { deliveryId, eventId, attempt } = claim;
    const event = await this.prepare(claim, async () => (await bodies).get(eventId));
    if (!event) throw new Error(`the event of the delivery ${deliveryId} is gone`);
    const parent = extractTrace(event.trace);
    const options = { kind: SpanKind.CLIENT, parent, attributes: { deliveryId, eventId, attempt } };
    return inSpan('webhook attempt', options, () => this.attempt(claim, event.body));
  }

  private async attempt(claim: Claim, body: Buffer): Promise<boolean> {
    const request = await this.prepare(claim, () => this.requestOf(claim, body));
    lateSeconds.observe(claim.late);
    const outcome = await this.callUnlessStopping(request);
    if (!outcome) return this.giveBack(claim);
    const next = nextStep(claim, outcome);
    const moved = await this.log.record({ claim, outcome, next });
    this.report(claim, outcome, { state: next.state, nextAttemptAt: moved?.nextAttemptAt });
    return moved?.isFollowed ?? false;
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

  /** Nothing has been sent yet: when this fails (a wrong ENCRYPTION_KEY), the customer must not lose an attempt. */
  private async prepare<T>(claim: Claim, work: () => Promise<T> | T): Promise<T> {
    try {
      return await work();
    } catch (error) {
      await this.log.undo(claim);
      throw new Error('the request of a delivery could not be prepared', { cause: error });
    }
  }

  private async callUnlessStopping(request: CustomerRequest): Promise<CallOutcome | undefined> {
    try {
      return await this.http.call(request);
    } catch (error) {
      if (error instanceof InterruptedError) return undefined;
      throw error;
    }
  }

  private async giveBack(claim: Claim): Promise<false> {
    await this.log.giveBack(claim);
    attemptsMade.inc({ outcome: 'interrupted' });
    this.logger.warn(
      { deliveryId: claim.deliveryId, eventId: claim.eventId, attempt: claim.attempt },
      'delivery.interrupted',
    );
    return false;
  }

  private report(
    claim: Claim,
    outcome: CallOutcome,
    next: { state: NextStep['state']; nextAttemptAt?: Date | null },
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
