import { entryBytes, MIB } from '@switchboard/platform';
import { UpstreamError } from '@switchboard/upstream';
import { LRUCache } from 'lru-cache';

/**
 * So many failures in a row, and the number's sends are refused at once instead of waiting for the next failure. A send
 * without an answer is one, so that a platform that hangs is noticed; a single slow message is not enough, nor is the
 * same one tried again and again.
 */
const FAILURES_TO_OPEN = 5;
const OPEN_FIRST_MS = 1_000;
const OPEN_LONGEST_MS = 30_000;
/** Each; what has not been asked for the longest is forgotten first. */
const MAX_BYTES = 8 * MIB;
/** An error of which the stack is kept, too. */
const ERROR_BYTES = 2_048;

/** Whose send it is: what the upstream platform counts by. */
export interface SendRoute {
  wabaId: string;
  phoneNumberId: string;
  recipient: string;
}

interface Cooldown {
  until: number;
  /** Refusals in a row, less one. */
  level: number;
  cause: UpstreamError;
}

interface Circuit {
  failures: number;
  /** Whose sends were not answered; one recipient's silence counts once, however often their message is tried. */
  silent: string[];
  /** Before this time nothing is sent; 0 while the circuit is closed. */
  openUntil: number;
  /** Whether the send that tries is under way. */
  isTrying: boolean;
}

/**
 * What this process has learned from the upstream platform's last answers: whom it throttles, and from which numbers
 * sends fail anyway. Times come from the caller, in milliseconds of any one clock.
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

  /** How long a send has to wait because of throttling, and the refusal that says so; undefined when it may go now. */
  throttled(route: SendRoute, now: number): { waitMs: number; cause: UpstreamError } | undefined {
    const active = scopesOf(route).flatMap((key) => this.cooldowns.get(key) ?? []);
    const longest = active.sort((one, other) => other.until - one.until)[0];
    return longest && longest.until > now ? { waitMs: longest.until - now, cause: longest.cause } : undefined;
  }

  /** The refusal while the number's circuit is open; undefined when a send may go. */
  broken({ phoneNumberId }: SendRoute, now: number): UpstreamError | undefined {
    const { openUntil = 0 } = this.circuits.get(phoneNumberId) ?? {};
    return openUntil > now ? circuitOpen(openUntil - now) : undefined;
  }

  /**
   * Says that a send goes now. After an open circuit it is the one that tries; the others are refused until its outcome
   * is known.
   * @param until when its call has ended at the latest
   */
  tryOut({ phoneNumberId }: SendRoute, until: number): void {
    const circuit = this.circuits.get(phoneNumberId);
    if (!circuit || circuit.failures < FAILURES_TO_OPEN) return;
    circuit.openUntil = until;
    circuit.isTrying = true;
  }

  /** Takes over what an answer says: undefined for an accepted send. */
  learn(route: SendRoute, outcome: UpstreamError | undefined, now: number): void {
    this.judgeNumber(route, outcome, now);
    if (!outcome) for (const key of scopesOf(route)) this.cooldowns.delete(key);
    const { backoff } = outcome ?? {};
    if (!outcome || !backoff || backoff.scope === 'message') return;
    const key = keyOf(backoff.scope, route);
    const known = this.cooldowns.get(key);
    // Calls that were under way together are refused together: that is one refusal.
    if (known && known.until > now) return;
    const level = known ? known.level + 1 : 0;
    this.cooldowns.delete(key);
    this.cooldowns.set(key, { until: now + backoff.firstMs * backoff.factor ** level, level, cause: outcome });
  }

  private judgeNumber({ phoneNumberId, recipient }: SendRoute, outcome: UpstreamError | undefined, now: number): void {
    if (!outcome || isAnswer(outcome)) return void this.circuits.delete(phoneNumberId);
    const known = this.circuits.get(phoneNumberId) ?? { failures: 0, silent: [], openUntil: 0, isTrying: false };
    const isOpen = known.failures >= FAILURES_TO_OPEN;
    // Calls that were under way when the circuit opened say nothing new.
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
 * A refusal of the message or of its sender shows that the platform works; a failure of its own, no usable answer or
 * none at all does not.
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
