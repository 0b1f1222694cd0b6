import { signCallback } from '@switchboard/upstream';
import type { Logger } from '@switchboard/platform';
import { Pool } from 'undici';
import type { SimulatorSettings } from '../config';
import type { Scheduler } from '../scheduler';
import { callbackBody, type CallbackUpdate } from './callback-body';

/**
 * Maximum weight of a POST. A status weighs one, and an inbound message ten, because its text can be long (3 MB per
 * POST).
 */
const MAX_WEIGHT = 1_000;
const CHANGE_WEIGHT = 10;
const MAX_IN_FLIGHT = 8;
const MAX_PENDING = 300_000;
const MAX_RETRY_BYTES = 128 * 1024 * 1024;
const ANSWER_TIMEOUT_MS = 10_000;
const GIVE_UP_AFTER_MS = 7 * 24 * 60 * 60 * 1_000;
const SECOND_RETRY_MS = 500;

/** Updates sent as one POST, which is retried with the same bytes until it gets a 200. */
interface Batch {
  body: Buffer;
  signature: string;
  updates: number;
  /** Functions to call once the receiver has the batch. */
  onReceived: (() => void)[];
  firstAttemptMs: number;
  attempts: number;
}

export interface CallbackCounts {
  /** Number of updates acknowledged with 200. */
  delivered: number;
  failedAttempts: number;
  /** Number of updates waiting for their first or next attempt. */
  pending: number;
  /** Number of updates given up after 7 days, or because the backlog was full. */
  dropped: number;
}

/**
 * Posts signed updates to the receiver. At most 8 POSTs run concurrently. Updates that arrive meanwhile share the next
 * one, so batches grow with the load. Without a 200, a POST is retried, immediately at first and then with backoff, for
 * up to 7 days.
 */
export class CallbackSender {
  private pending: CallbackUpdate[] = [];
  private readonly ready: Batch[] = [];
  private readonly pool: Pool;
  private readonly path: string;
  private inFlight = 0;
  private waitingUpdates = 0;
  private waitingBytes = 0;
  private delivered = 0;
  private failedAttempts = 0;
  private dropped = 0;
  private failing = false;
  /** Incremented by a reset, to discard batches of earlier generations. */
  private generation = 0;

  constructor(
    private readonly settings: SimulatorSettings,
    private readonly scheduler: Scheduler,
    private readonly logger: Logger,
  ) {
    const url = new URL(settings.callbackUrl);
    this.path = url.pathname + url.search;
    this.pool = new Pool(url.origin, {
      connections: MAX_IN_FLIGHT,
      headersTimeout: ANSWER_TIMEOUT_MS,
      bodyTimeout: ANSWER_TIMEOUT_MS,
    });
  }

  enqueue(update: CallbackUpdate): void {
    if (this.pending.length >= MAX_PENDING) {
      this.dropped += 1;
      return;
    }
    this.pending.push(update);
    if (this.pending.length === 1) setImmediate(() => this.flush());
  }

  counts(): CallbackCounts {
    const { delivered, failedAttempts, dropped } = this;
    return { delivered, failedAttempts, pending: this.pending.length + this.waitingUpdates, dropped };
  }

  reset(): void {
    this.generation += 1;
    this.pending = [];
    this.ready.length = 0;
    Object.assign(this, { waitingUpdates: 0, waitingBytes: 0, delivered: 0, failedAttempts: 0, dropped: 0 });
  }

  async close(): Promise<void> {
    this.reset();
    await this.pool.destroy();
  }

  private flush(): void {
    while (this.inFlight < MAX_IN_FLIGHT) {
      const batch = this.ready.shift() ?? this.takeBatch();
      if (!batch) return;
      this.inFlight += 1;
      void this.attempt(batch, this.generation);
    }
  }

  private takeBatch(): Batch | undefined {
    if (this.pending.length === 0) return undefined;
    let weight = 0;
    let count = 0;
    while (count < this.pending.length && weight < MAX_WEIGHT) {
      weight += this.pending[count]?.kind === 'status' ? 1 : CHANGE_WEIGHT;
      count += 1;
    }
    const updates = this.pending.splice(0, count);
    const body = callbackBody(updates);
    const signature = signCallback(body, this.settings.appSecret);
    this.wait(count, body.length);
    const onReceived = updates.flatMap((update) =>
      update.kind === 'status' && update.onReceived ? [update.onReceived] : [],
    );
    return { body, signature, updates: count, onReceived, firstAttemptMs: performance.now(), attempts: 0 };
  }

  private async attempt(batch: Batch, generation: number): Promise<void> {
    batch.attempts += 1;
    const failure = await this.post(batch);
    this.inFlight -= 1;
    if (generation === this.generation) this.settle(batch, failure);
    this.flush();
  }

  private settle(batch: Batch, failure: string | undefined): void {
    if (failure === undefined) {
      this.wait(-batch.updates, -batch.body.length);
      this.delivered += batch.updates;
      for (const received of batch.onReceived) received();
      if (this.failing) this.logger.info({ waitingUpdates: this.waitingUpdates }, 'callbacks.recovered');
      this.failing = false;
      return;
    }
    this.failedAttempts += 1;
    // Log once per outage instead of at each attempt.
    if (!this.failing) this.logger.warn({ updates: batch.updates, failure }, 'callbacks.failing');
    this.failing = true;
    const isOld = performance.now() - batch.firstAttemptMs > GIVE_UP_AFTER_MS;
    if (isOld || this.waitingBytes > MAX_RETRY_BYTES) return this.drop(batch);
    const { generation } = this;
    this.scheduler.after(this.retryDelayMs(batch.attempts), () => {
      if (generation !== this.generation) return;
      this.ready.push(batch);
      this.flush();
    });
  }

  private drop(batch: Batch): void {
    this.wait(-batch.updates, -batch.body.length);
    this.dropped += batch.updates;
  }

  private wait(updates: number, bytes: number): void {
    this.waitingUpdates += updates;
    this.waitingBytes += bytes;
  }

  /** Returns the backoff: none for the first retry, then 0.5 s, then doubling up to the configured maximum. */
  private retryDelayMs(attempts: number): number {
    if (attempts === 1) return 0;
    return Math.min(SECOND_RETRY_MS * 2 ** (attempts - 2), this.settings.callbackRetryMaxMs);
  }

  /** Returns undefined on a 200, otherwise the reason of the failure. */
  private async post({ body, signature }: Batch): Promise<string | undefined> {
    try {
      const answer = await this.pool.request({
        method: 'POST',
        path: this.path,
        body,
        headers: {
          ...this.settings.callbackHeaders,
          'content-type': 'application/json',
          'user-agent': 'facebookexternalua',
          'x-hub-signature-256': signature,
        },
      });
      await answer.body.dump();
      return answer.statusCode === 200 ? undefined : `HTTP ${answer.statusCode}`;
    } catch (error) {
      return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
    }
  }
}
