import { refusal } from '../graph-error';
import type { BusinessNumber } from '../numbers/number-store';

export interface EnforcedLimits {
  /** Enables error 131056: 1 message per 6 s from a business number to a user, with a burst of 45. */
  pair: boolean;
  /** Enables error 130429: 80 or 1,000 messages per second from a number, depending on its throughput level. */
  throughput: boolean;
}

const PAIR = { burst: 45, perSecond: 1 / 6 };
const MESSAGES_PER_SECOND: Record<string, number> = { HIGH: 1_000 };
const STANDARD_MESSAGES_PER_SECOND = 80;
const MAX_BUCKETS = 100_000;

interface Bucket {
  tokens: number;
  filledAtMs: number;
}

/** The platform's rate limits as token buckets. Disabled by default, because load and chaos tests send to few users. */
export class RateLimits {
  private readonly pairs = new Map<string, Bucket>();
  private readonly numbers = new Map<string, Bucket>();
  enforced: EnforcedLimits;

  constructor(private readonly atFirst: EnforcedLimits) {
    this.enforced = atFirst;
  }

  /** @throws GraphError 130429 or 131056 when the limit is exceeded */
  take(number: BusinessNumber, waId: string, nowMs: number): void {
    if (this.enforced.throughput) {
      const perSecond = MESSAGES_PER_SECOND[number.graph.throughput?.level ?? ''] ?? STANDARD_MESSAGES_PER_SECOND;
      if (!takeToken(this.numbers, number.id, { burst: perSecond, perSecond, nowMs })) {
        throw refusal(
          130429,
          'Message failed to send because there were too many messages sent from this phone number in a short period of time',
        );
      }
    }
    if (this.enforced.pair && !takeToken(this.pairs, `${number.id}:${waId}`, { ...PAIR, nowMs })) {
      throw refusal(
        131056,
        'Message failed to send because there were too many messages sent from this phone number to the same phone number in a short period of time',
      );
    }
  }

  reset(): void {
    this.pairs.clear();
    this.numbers.clear();
    this.enforced = this.atFirst;
  }
}

function takeToken(
  buckets: Map<string, Bucket>,
  key: string,
  rate: { burst: number; perSecond: number; nowMs: number },
): boolean {
  const bucket = buckets.get(key) ?? { tokens: rate.burst, filledAtMs: rate.nowMs };
  const tokens = Math.min(rate.burst, bucket.tokens + ((rate.nowMs - bucket.filledAtMs) / 1_000) * rate.perSecond);
  const isEnough = tokens >= 1;
  buckets.delete(key); // Keep the map ordered by the last send.
  buckets.set(key, { tokens: isEnough ? tokens - 1 : tokens, filledAtMs: rate.nowMs });
  if (buckets.size > MAX_BUCKETS) buckets.delete(buckets.keys().next().value!);
  return isEnough;
}
