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

/**
 * A call that is begun has at least this share of UPSTREAM_TIMEOUT_MS for its answer: a repetition that has less is not
 * begun.
 */
const LEAST_CALL_SHARE = 0.25;
/** With less than this share left, a first call is not begun either: its answer could not come in time. */
const LEAST_FIRST_CALL_SHARE = 0.05;
/** Waits are longer by up to this share, by chance: who was refused together does not come back together. */
const JITTER_SHARE = 0.25;

const marketingSends = counter(
  'messaging_marketing_sends_total',
  "Sends through the upstream platform's endpoint for marketing: taken, refused there and sent as any other, failed",
  { outcome: ['taken', 'refused', 'failed'] },
);

/** A message as it is stored, with the number it leaves from. */
export interface OutgoingSend extends StoredMessage {
  wabaId: string;
  numberId: string;
  phoneNumberId: string;
  sealedAccessToken: string;
  /** Whether it goes through the platform's endpoint for marketing; not when absent. */
  isByMarketingEndpoint?: boolean;
}

export interface SendLimits {
  /** When the last call must have ended, repetitions included; of `performance.now()`. */
  until: number;
  /** Until when throttling is waited out; as long as there is time when absent. */
  patientUntil?: number;
  /** Gives each call its turn, for senders with many; at once when absent. */
  inTurn?: <Result>(call: () => Promise<Result>) => Promise<Result>;
  /** Ends a running call early. */
  signal?: AbortSignal;
}

/** Why nothing should be sent now, and for how long. */
export interface SendPause {
  ms: number;
  cause: UpstreamError;
}

/** Sends stored messages upstream; the first send and the reconciler's repetition are the same call. */
@Injectable()
export class UpstreamSender {
  private readonly gate = new SendGate();
  private readonly marketing = new MarketingEndpoint();
  /** How long one send may take, its repetitions included. */
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
   * A stored message as it is sent: one with a secret in it keeps its content sealed.
   * @throws Error when it cannot be opened
   */
  opened<Message extends OutgoingSend & { sealedContent: string | null }>(message: Message): OutgoingSend {
    return message.sealedContent === null
      ? message
      : { ...message, ...openContent(message.sealedContent, this.box, message.id) };
  }

  /** When a send that begins now must have ended, for a caller who waits until then. */
  callUntil(until: number): number {
    return Math.min(until, performance.now() + this.timeoutMs);
  }

  /**
   * Why a send would be refused by what is known already, without a call; undefined when it may be tried until then.
   */
  refusalBefore(route: SendRoute, until: number): UpstreamError | undefined {
    const now = performance.now();
    const throttled = this.gate.throttled(route, now);
    if (throttled && now + throttled.waitMs + this.leastCallMs > until) return throttled.cause;
    return this.gate.broken(route, now);
  }

  /** What is known to hold a send back now; undefined when nothing is. */
  pauseOf(route: SendRoute): SendPause | undefined {
    const now = performance.now();
    const throttled = this.gate.throttled(route, now);
    if (throttled) return { ms: throttled.waitMs, cause: throttled.cause };
    const broken = this.gate.broken(route, now);
    return broken && { ms: (broken.retryAfterSeconds ?? 1) * 1_000, cause: broken };
  }

  /**
   * Calls upstream; a refusal that passes by itself is waited out and the call repeated while there is time. A call
   * without a known outcome is never repeated here.
   * @returns what upstream answered last, or the error that says what is known of the message
   */
  async send(message: OutgoingSend, limits: SendLimits): Promise<SentMessage | UpstreamError> {
    let last: UpstreamError | undefined;
    for (let repeats = 0; ; ) {
      const held = await this.hold(message, limits);
      if (held) return last ?? held;
      const outcome = await this.callInTurn(message, limits);
      // What others learned while it waited for its turn holds it back, too.
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
   * Waits while upstream throttles.
   * @returns the refusal when the wait would be too long or the number's sends fail anyway
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

  /** @returns whether the time was waited; if not, nothing could be sent after it */
  private async wait(ms: number, { until, patientUntil = until, signal }: SendLimits): Promise<boolean> {
    const jittered = ms * (1 + Math.random() * JITTER_SHARE);
    const after = performance.now() + jittered;
    if (after > patientUntil || after + this.leastCallMs > until) return false;
    await delay(jittered, undefined, { signal, ref: false }).catch(() => undefined);
    return signal?.aborted !== true;
  }

  /** @returns undefined, without a call, when a send must be held after all */
  private async callInTurn(
    message: OutgoingSend,
    limits: SendLimits,
  ): Promise<SentMessage | UpstreamError | undefined> {
    if (!limits.inTurn) return this.callUnlessHeld(message, limits);
    return limits.inTurn(async () => {
      if (performance.now() + this.leastCallMs > limits.until) return notCalled('Too many sends are under way');
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
      // What came before may have taken all the time. A caller that has given up must not learn of a send that began
      // later.
      if (timeoutMs < this.timeoutMs * LEAST_FIRST_CALL_SHARE)
        return notCalled('There is too little time left to call upstream');
      const sent = await this.upstream.sendMessage({ ...call, timeoutMs });
      this.gate.learn(message, undefined, performance.now());
      return sent;
    } catch (error) {
      if (!(error instanceof UpstreamError)) throw error;
      // A call that we ended ourselves says nothing about the platform.
      if (signal?.aborted !== true) this.gate.learn(message, error, performance.now());
      return error;
    }
  }

  /**
   * Sends through the platform's endpoint for marketing.
   * @returns undefined when the message is to go out as any other: certainly nothing was sent then
   * @throws UpstreamError of any other refusal, and of an unknown outcome
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
