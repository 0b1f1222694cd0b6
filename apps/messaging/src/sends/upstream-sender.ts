import { setTimeout as delay } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, counter, SecretBox } from '@switchboard/platform';
import { type SendMessageCall, type SentMessage, type UpstreamClient, UpstreamError } from '@switchboard/upstream';
import type { MessagingConfig } from '../config';
import { openToken } from '../numbers/number-token';
import { UPSTREAM } from '../upstream/upstream.tokens';
import { MarketingEndpoint } from './marketing-endpoint';
import { openContent } from './secret-content';
import { SendGate, type SendRoute } from './send-gate';
import { type StoredMessage, toUpstreamBody } from './upstream-body';

/** Minimum share of UPSTREAM_TIMEOUT_MS that must be left for a retry to start. */
const LEAST_CALL_SHARE = 0.25;
/** Minimum share that must be left for the first call to start. With less, the response could not arrive in time. */
const LEAST_FIRST_CALL_SHARE = 0.05;
/** Maximum random extension of a delay, so that throttled sends do not resume simultaneously. */
const JITTER_SHARE = 0.25;

const marketingSends = counter(
  'messaging_marketing_sends_total',
  "Sends through the upstream platform's marketing endpoint: accepted there (taken), rejected there and sent like any other (refused), failed",
  { outcome: ['taken', 'refused', 'failed'] },
);

/** A stored message with the number to send from. */
export interface OutgoingSend extends StoredMessage {
  wabaId: string;
  numberId: string;
  phoneNumberId: string;
  sealedAccessToken: string;
  /** True to send through the platform's marketing endpoint. False if absent. */
  isByMarketingEndpoint?: boolean;
}

export interface SendLimits {
  /** Deadline of the last call including retries, on the clock of `performance.now()`. */
  until: number;
  /** Time until which the send waits for throttling to end. Defaults to `until`. */
  patientUntil?: number;
  /** Schedules each call, for callers with many sends. If absent, calls start immediately. */
  inTurn?: <Result>(call: () => Promise<Result>) => Promise<Result>;
  signal?: AbortSignal;
}

/** How long nothing should be sent, and why. */
export interface SendPause {
  ms: number;
  cause: UpstreamError;
}

/** Sends stored messages upstream. The first attempt and the reconciler's retry use the same call. */
@Injectable()
export class UpstreamSender {
  private readonly gate = new SendGate();
  private readonly marketing = new MarketingEndpoint();
  /** Maximum duration of a send, including retries. */
  readonly timeoutMs: number;
  private readonly leastCallMs: number;

  constructor(
    @Inject(UPSTREAM) private readonly upstream: UpstreamClient,
    private readonly box: SecretBox,
    @Inject(CONFIG) config: MessagingConfig,
  ) {
    this.timeoutMs = config.UPSTREAM_TIMEOUT_MS;
    this.leastCallMs = this.timeoutMs * LEAST_CALL_SHARE;
  }

  /**
   * Decrypts the content of a stored message that contains a secret.
   * @throws Error if it cannot be decrypted
   */
  opened<Message extends OutgoingSend & { sealedContent: string | null }>(message: Message): OutgoingSend {
    return message.sealedContent === null
      ? message
      : { ...message, ...openContent(message.sealedContent, this.box, message.id) };
  }

  /** Returns the deadline of a send that starts now, for a caller who waits until `until`. */
  callUntil(until: number): number {
    return Math.min(until, performance.now() + this.timeoutMs);
  }

  /**
   * Returns the error with which a send would fail in the current state, without making a call. Undefined if the send
   * may be attempted.
   */
  refusalBefore(route: SendRoute, until: number): UpstreamError | undefined {
    const now = performance.now();
    const throttled = this.gate.throttled(route, now);
    if (throttled && now + throttled.waitMs + this.leastCallMs > until) return throttled.cause;
    return this.gate.broken(route, now);
  }

  /** Returns what currently delays sends of this route. Undefined if nothing does. */
  pauseOf(route: SendRoute): SendPause | undefined {
    const now = performance.now();
    const throttled = this.gate.throttled(route, now);
    if (throttled) return { ms: throttled.waitMs, cause: throttled.cause };
    const broken = this.gate.broken(route, now);
    return broken && { ms: (broken.retryAfterSeconds ?? 1) * 1_000, cause: broken };
  }

  /**
   * Calls upstream. Waits for temporary rejections to end and retries while time is left. Never retries a call without
   * a known outcome.
   * @returns the last upstream response, or an error with what is known about the message
   */
  async send(message: OutgoingSend, limits: SendLimits): Promise<SentMessage | UpstreamError> {
    let last: UpstreamError | undefined;
    for (let repeats = 0; ; ) {
      const held = await this.hold(message, limits);
      if (held) return last ?? held;
      const outcome = await this.callInTurn(message, limits);
      // A pause or an open circuit started while the call was queued.
      if (!outcome) continue;
      if (!(outcome instanceof UpstreamError)) return outcome;
      const { backoff, kind } = outcome;
      if (kind !== 'rejected' || !backoff || repeats >= backoff.times) return outcome;
      if (backoff.scope === 'message' && !(await this.wait(backoff.firstMs * backoff.factor ** repeats, limits)))
        return outcome;
      last = outcome;
      repeats += 1;
    }
  }

  /**
   * Waits while upstream is throttling.
   * @returns the error if the wait would be too long or the circuit is open
   */
  private async hold(message: OutgoingSend, limits: SendLimits): Promise<UpstreamError | undefined> {
    for (;;) {
      const now = performance.now();
      const broken = this.gate.broken(message, now);
      if (broken) return broken;
      const throttled = this.gate.throttled(message, now);
      if (!throttled) return undefined;
      if (!(await this.wait(throttled.waitMs, limits))) return throttled.cause;
    }
  }

  /** @returns false if the wait would leave no time for a call */
  private async wait(ms: number, { until, patientUntil = until, signal }: SendLimits): Promise<boolean> {
    const jittered = ms * (1 + Math.random() * JITTER_SHARE);
    const after = performance.now() + jittered;
    if (after > patientUntil || after + this.leastCallMs > until) return false;
    await delay(jittered, undefined, { signal, ref: false }).catch(() => undefined);
    return signal?.aborted !== true;
  }

  /** @returns undefined, without a call, if the send has to wait again */
  private async callInTurn(
    message: OutgoingSend,
    limits: SendLimits,
  ): Promise<SentMessage | UpstreamError | undefined> {
    if (!limits.inTurn) return this.callUnlessHeld(message, limits);
    return limits.inTurn(async () => {
      if (performance.now() + this.leastCallMs > limits.until) return notCalled('Too many sends are in progress');
      return this.callUnlessHeld(message, limits);
    });
  }

  private async callUnlessHeld(
    message: OutgoingSend,
    limits: SendLimits,
  ): Promise<SentMessage | UpstreamError | undefined> {
    const now = performance.now();
    if (this.gate.broken(message, now) ?? this.gate.throttled(message, now)) return undefined;
    this.gate.tryOut(message, limits.until);
    return this.callOnce(message, limits);
  }

  private async callOnce(message: OutgoingSend, { until, signal }: SendLimits): Promise<SentMessage | UpstreamError> {
    try {
      const accessToken = openToken(this.box, message);
      const call = { phoneNumberId: message.phoneNumberId, accessToken, body: toUpstreamBody(message), signal };
      const byMarketing = await this.callMarketing(message, call, until);
      if (byMarketing) return byMarketing;
      const timeoutMs = until - performance.now();
      // Earlier steps may have used up the time. The caller must not receive a timeout while the send starts later.
      if (timeoutMs < this.timeoutMs * LEAST_FIRST_CALL_SHARE)
        return notCalled('There is too little time left to call upstream');
      const sent = await this.upstream.sendMessage({ ...call, timeoutMs });
      this.gate.learn(message, undefined, performance.now());
      return sent;
    } catch (error) {
      if (!(error instanceof UpstreamError)) throw error;
      // An aborted call says nothing about the platform.
      if (signal?.aborted !== true) this.gate.learn(message, error, performance.now());
      return error;
    }
  }

  /**
   * Sends through the platform's marketing endpoint.
   * @returns undefined if the message was not sent and should be sent as a regular one
   * @throws UpstreamError for any other error, and for an unknown outcome
   */
  private async callMarketing(
    message: OutgoingSend,
    call: Pick<SendMessageCall, 'phoneNumberId' | 'accessToken' | 'body' | 'signal'>,
    until: number,
  ): Promise<SentMessage | undefined> {
    const timeoutMs = until - performance.now();
    if (!message.isByMarketingEndpoint || timeoutMs < this.leastCallMs || !this.marketing.mayTake(message))
      return undefined;
    try {
      const sent = await this.upstream.sendMessage({ ...call, timeoutMs, isMarketing: true });
      marketingSends.inc({ outcome: 'taken' });
      this.gate.learn(message, undefined, performance.now());
      return sent;
    } catch (error) {
      const isRefused = error instanceof UpstreamError && this.marketing.noteRefusal(message, error);
      marketingSends.inc({ outcome: isRefused ? 'refused' : 'failed' });
      if (isRefused) return undefined;
      throw error;
    }
  }
}

function notCalled(title: string): UpstreamError {
  return new UpstreamError({
    kind: 'unavailable',
    title,
    retriable: true,
    category: 'other',
    answer: 'UPSTREAM_ERROR',
  });
}
