import { UpstreamError } from '@switchboard/upstream';

/** So many failures in a row, and the number's sends are refused at once instead of waiting for the next failure. */
const FAILURES_TO_OPEN = 5;
const OPEN_FIRST_MS = 1_000;
const OPEN_LONGEST_MS = 30_000;
/** What is not asked for any more is forgotten when there are more entries. */
const MAX_ENTRIES = 10_000;

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
  /** Before this time nothing is sent; 0 while the circuit is closed. */
  openUntil: number;
}

/**
 * What this process has learned from the upstream platform's last answers: whom it throttles, and from which numbers sends fail
 * anyway. Times come from the caller, in milliseconds of any one clock.
 */
export class SendGate {
  private readonly cooldowns = new Map<string, Cooldown>();
  private readonly circuits = new Map<string, Circuit>();

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

  /** Says that a send goes now. After an open circuit it is the one that tries; the others are refused until its outcome is known. */
  tryOut({ phoneNumberId }: SendRoute, now: number): void {
    const circuit = this.circuits.get(phoneNumberId);
    if (circuit && circuit.failures >= FAILURES_TO_OPEN) circuit.openUntil = now + openMs(circuit.failures);
  }

  /** Takes over what an answer says: undefined for an accepted send. */
  learn(route: SendRoute, outcome: UpstreamError | undefined, now: number): void {
    this.judgeNumber(route.phoneNumberId, outcome, now);
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
    forgetOldest(this.cooldowns);
  }

  private judgeNumber(phoneNumberId: string, outcome: UpstreamError | undefined, now: number): void {
    if (!outcome || !isOutage(outcome)) return void this.circuits.delete(phoneNumberId);
    const failures = (this.circuits.get(phoneNumberId)?.failures ?? 0) + 1;
    this.circuits.set(phoneNumberId, { failures, openUntil: failures < FAILURES_TO_OPEN ? 0 : now + openMs(failures) });
    forgetOldest(this.circuits);
  }
}

/** Not reached, or failing itself; a refusal of the message is an answer, and silence says nothing about the next message. */
function isOutage({ kind, httpStatus = 0 }: UpstreamError): boolean {
  return kind === 'unavailable' || httpStatus >= 500;
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

function forgetOldest(entries: Map<string, unknown>): void {
  const oldest = entries.keys().next();
  if (entries.size > MAX_ENTRIES && !oldest.done) entries.delete(oldest.value);
}
