import { entryBytes, MIB } from '@switchboard/platform';
import { UpstreamError } from '@switchboard/upstream';
import { LRUCache } from 'lru-cache';

/**
 * Consecutive failures after which sends from the number fail immediately. A send without a response counts as a
 * failure, so that a hanging platform is noticed. Timeouts count once per recipient, so that one slow message cannot
 * open the circuit.
 */
const FAILURES_TO_OPEN = 5;
const OPEN_FIRST_MS = 1_000;
const OPEN_LONGEST_MS = 30_000;
/** Maximum size of each map. A full map evicts its least recently used entries. */
const MAX_BYTES = 8 * MIB;
/** Estimated size of an error with its stack. */
const ERROR_BYTES = 2_048;

/** Identifiers by which the upstream platform counts sends. */
export interface SendRoute {
  wabaId: string;
  phoneNumberId: string;
  recipient: string;
}

interface Cooldown {
  until: number;
  /** Number of consecutive rejections, minus one. */
  level: number;
  cause: UpstreamError;
}

interface Circuit {
  failures: number;
  /** Recipients whose sends got no response. Each recipient counts once, however often the message is retried. */
  silent: string[];
  /** No sends start before this time. 0 while the circuit is closed. */
  openUntil: number;
  /** True while the probe send is in progress. */
  isTrying: boolean;
}

/**
 * State that this process derives from the upstream platform's latest responses: throttled routes, and numbers with an
 * open circuit. The caller passes all times, in milliseconds on any one clock.
 */
export class SendGate {
  private readonly cooldowns = new LRUCache<string, Cooldown>({
    maxSize: MAX_BYTES,
    sizeCalculation: ({ cause }, key) => ERROR_BYTES + entryBytes(key, cause.title, cause.details ?? ''),
  });
  private readonly circuits = new LRUCache<string, Circuit>({
    maxSize: MAX_BYTES,
    sizeCalculation: (circuit, key) => entryBytes(key, circuit),
  });

  /**
   * Returns how long throttling delays a send, and the error that caused the throttling. Undefined if the send may
   * start now.
   */
  throttled(route: SendRoute, now: number): { waitMs: number; cause: UpstreamError } | undefined {
    const active = scopesOf(route).flatMap((key) => this.cooldowns.get(key) ?? []);
    const longest = active.sort((one, other) => other.until - one.until)[0];
    return longest && longest.until > now ? { waitMs: longest.until - now, cause: longest.cause } : undefined;
  }

  /** Returns an error while the number's circuit is open. Undefined if a send may start. */
  broken({ phoneNumberId }: SendRoute, now: number): UpstreamError | undefined {
    const { openUntil = 0 } = this.circuits.get(phoneNumberId) ?? {};
    return openUntil > now ? circuitOpen(openUntil - now) : undefined;
  }

  /**
   * Records that a send starts now. If the circuit was open, this send is the probe, and other sends fail until its
   * outcome is known.
   * @param until time at which its call has ended at the latest
   */
  tryOut({ phoneNumberId }: SendRoute, until: number): void {
    const circuit = this.circuits.get(phoneNumberId);
    if (!circuit || circuit.failures < FAILURES_TO_OPEN) return;
    circuit.openUntil = until;
    circuit.isTrying = true;
  }

  /**
   * Updates the state from a response.
   * @param outcome the error, or undefined for an accepted send
   */
  learn(route: SendRoute, outcome: UpstreamError | undefined, now: number): void {
    this.judgeNumber(route, outcome, now);
    if (!outcome) for (const key of scopesOf(route)) this.cooldowns.delete(key);
    const { backoff } = outcome ?? {};
    if (!outcome || !backoff || backoff.scope === 'message') return;
    const key = keyOf(backoff.scope, route);
    const known = this.cooldowns.get(key);
    // Count rejections of concurrent calls as one.
    if (known && known.until > now) return;
    const level = known ? known.level + 1 : 0;
    this.cooldowns.delete(key);
    this.cooldowns.set(key, { until: now + backoff.firstMs * backoff.factor ** level, level, cause: outcome });
  }

  private judgeNumber({ phoneNumberId, recipient }: SendRoute, outcome: UpstreamError | undefined, now: number): void {
    if (!outcome || isAnswer(outcome)) return void this.circuits.delete(phoneNumberId);
    const known = this.circuits.get(phoneNumberId) ?? { failures: 0, silent: [], openUntil: 0, isTrying: false };
    const isOpen = known.failures >= FAILURES_TO_OPEN;
    // Calls that were in flight when the circuit opened add no information.
    if (isOpen && !known.isTrying && known.openUntil > now) return;
    const isSilence = outcome.kind === 'unknown-outcome' && outcome.httpStatus === undefined;
    if (isSilence && !isOpen && known.silent.includes(recipient)) return;
    const failures = known.failures + 1;
    const openUntil = failures < FAILURES_TO_OPEN ? 0 : now + openMs(failures);
    this.circuits.set(phoneNumberId, {
      failures,
      silent: isSilence ? [...known.silent, recipient].slice(-FAILURES_TO_OPEN) : known.silent,
      openUntil,
      isTrying: false,
    });
  }
}

/**
 * Returns true for errors that show a working platform: rejections of the message or its sender. Errors of the platform
 * itself and unusable or missing responses do not.
 */
function isAnswer({ kind, httpStatus = 0 }: UpstreamError): boolean {
  return kind === 'rejected' && httpStatus < 500;
}

function openMs(failures: number): number {
  return Math.min(OPEN_FIRST_MS * 2 ** (failures - FAILURES_TO_OPEN), OPEN_LONGEST_MS);
}

function circuitOpen(remainingMs: number): UpstreamError {
  return new UpstreamError({
    kind: 'unavailable',
    title: 'Sends from this number are paused for a moment after failures of the upstream platform',
    retriable: true,
    category: 'other',
    answer: 'UPSTREAM_ERROR',
    retryAfterSeconds: Math.ceil(remainingMs / 1_000),
  });
}

function scopesOf(route: SendRoute): string[] {
  return [keyOf('account', route), keyOf('number', route), keyOf('pair', route)];
}

function keyOf(scope: 'account' | 'number' | 'pair', { wabaId, phoneNumberId, recipient }: SendRoute): string {
  if (scope === 'account') return `waba ${wabaId}`;
  return scope === 'number' ? phoneNumberId : `${phoneNumberId} ${recipient}`;
}
