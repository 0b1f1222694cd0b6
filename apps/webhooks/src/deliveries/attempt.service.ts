import { setTimeout as sleep } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import { deliverEventV1 } from '@switchboard/contracts';
import { query, Transactions } from '@switchboard/database';
import { CONFIG, counter, extractTrace, histogram, inSpan, type Logger, LOGGER, SpanKind, unseal } from '@switchboard/platform';
import { DataSource } from 'typeorm';
import type { WebhooksConfig } from '../config';
import { InterruptedError } from '../customer-http/call-error';
import { type CallOutcome, CustomerHttp, type CustomerRequest } from '../customer-http/customer-http';
import { type Claim, CLAIM_SECONDS, finishAttempt, type NextStep, releaseClaim, undoClaim } from './deliveries.queries';
import { delayAfterFailure } from './retry-schedule';
import { deliveryHeaders } from './signature';

/** While the claim holds, a result that could not be written is written again so often. */
const WRITE_AGAIN_MS = 500;

const attemptsMade = counter('webhook_attempts_total', 'Requests to customers endpoints, by outcome', ['outcome']);
const attemptSeconds = histogram('webhook_attempt_duration_seconds', 'Duration of requests to customers endpoints');
const lateSeconds = histogram('webhook_attempt_lateness_seconds', 'Time from when an attempt was due to its start');

/** Makes the attempts that were claimed. A customer's failure is a recorded result; only failures of ours are thrown. */
@Injectable()
export class AttemptService {
  constructor(
    @Inject(CONFIG) private readonly config: WebhooksConfig,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly dataSource: DataSource,
    private readonly transactions: Transactions,
    private readonly http: CustomerHttp,
  ) {}

  /** Makes one attempt and writes down what came of it and what is next. */
  async perform(claim: Claim): Promise<void> {
    const { deliveryId, eventId, accountId, attempt } = claim;
    if (claim.state === 'dropped') {
      return this.logger.warn({ deliveryId, eventId, accountId, attempt, reason: 'the last attempt was interrupted' }, 'delivery.dropped');
    }
    const parent = extractTrace(claim.trace);
    await inSpan('webhook attempt', { kind: SpanKind.CLIENT, parent, attributes: { deliveryId, eventId, attempt } }, () => this.attempt(claim));
  }

  private async attempt(claim: Claim): Promise<void> {
    const writableUntil = performance.now() + CLAIM_SECONDS * 1000 - WRITE_AGAIN_MS;
    const request = await this.prepareRequest(claim);
    lateSeconds.observe(claim.late);
    const outcome = await this.callUnlessStopping(request);
    if (!outcome) return this.giveBack(claim);
    const next = nextStep(claim.attempt, outcome);
    const nextAttemptAt = await writeUntil(writableUntil, () => this.finish(claim, outcome, next));
    this.report(claim, outcome, { state: next.state, nextAttemptAt });
  }

  /** Nothing has been sent yet: when this fails (a wrong ENCRYPTION_KEY), the customer must not lose an attempt. */
  private async prepareRequest(claim: Claim): Promise<CustomerRequest> {
    const { url, body, eventId, attempt } = claim;
    try {
      const secret = unseal(claim.sealedSecret, this.config.ENCRYPTION_KEY);
      const timestamp = Math.floor(Date.now() / 1000);
      return { method: 'POST', url, body, headers: deliveryHeaders({ eventId, attempt, timestamp, body, secret }) };
    } catch (error) {
      await undoClaim(this.dataSource, claim);
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

  /** The task of the next attempt leaves with the commit that says when it is due; an end needs one statement only. */
  private finish(claim: Claim, outcome: CallOutcome, next: NextStep): Promise<Date | undefined> {
    if (next.state !== 'pending') {
      return finishAttempt({ query: (sql, params) => query(this.dataSource, sql, params) }, claim, outcome, next);
    }
    const { delaySeconds } = next;
    return this.transactions.run(async (tx) => {
      const nextAttemptAt = await finishAttempt(tx, claim, outcome, next);
      if (nextAttemptAt) tx.enqueue(deliverEventV1, { deliveryId: claim.deliveryId }, { delaySeconds });
      return nextAttemptAt;
    });
  }

  private async giveBack(claim: Claim): Promise<void> {
    await this.transactions.run(async (tx) => {
      await releaseClaim(tx, claim);
      tx.enqueue(deliverEventV1, { deliveryId: claim.deliveryId });
    });
    attemptsMade.inc({ outcome: 'interrupted' });
    this.logger.warn({ deliveryId: claim.deliveryId, eventId: claim.eventId, attempt: claim.attempt }, 'delivery.interrupted');
  }

  private report(claim: Claim, outcome: CallOutcome, next: { state: NextStep['state']; nextAttemptAt?: Date }): void {
    const { deliveryId, eventId, endpointId, accountId, attempt } = claim;
    const { durationMs, statusCode, errorClass } = outcome;
    attemptsMade.inc({ outcome: errorClass ?? 'delivered' });
    attemptSeconds.observe(durationMs / 1000);
    const nextAttemptAt = next.state === 'pending' ? next.nextAttemptAt : undefined;
    this.logger.info(
      { deliveryId, eventId, endpointId, accountId, attempt, durationMs, statusCode, errorClass, state: next.state, nextAttemptAt },
      'delivery.attempted',
    );
  }
}

/** What an attempt's outcome means for its delivery (spec 6.6). */
export function nextStep(attempt: number, { errorClass }: Pick<CallOutcome, 'errorClass'>): NextStep {
  if (errorClass === null) return { state: 'delivered' };
  const delaySeconds = delayAfterFailure(attempt);
  return delaySeconds === undefined ? { state: 'dropped' } : { state: 'pending', delaySeconds };
}

/** The request was made and cannot be made unmade: while the database is away, its result is kept and written again. */
async function writeUntil<T>(deadline: number, write: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await write();
    } catch (error) {
      if (performance.now() > deadline) throw error;
      await sleep(WRITE_AGAIN_MS);
    }
  }
}
