import type { OnApplicationShutdown } from '@nestjs/common';
import { gauge, type Logger } from '@switchboard/platform';
import type { GatewayConfig } from '../config';
import type { Rate, Take } from './gcra';
import { MemoryRates } from './memory-rates';
import type { RedisRates } from './redis-rates';

/** Time in milliseconds without any reply after which Redis counts as down. A single late reply does not. */
const PATIENCE_MS = 1_000;
/** Probe interval during an outage in milliseconds: one request tries Redis, while the others do not wait. */
const REST_MS = 1_000;

const shared = gauge(
  'rate_limit_shared',
  'Whether rate limits are shared by all gateways now (1) or counted by each for itself (0)',
);

/**
 * Counts requests in Redis, if configured, so that all gateways share their counts. During an outage, each gateway
 * continues from its last known state with the full limit: no customer is rejected because of the outage, but n
 * gateways admit up to n times the limit. After the outage, each gateway reports its clients' debts to Redis.
 */
export class RateStore implements OnApplicationShutdown {
  private readonly own = new MemoryRates();
  /** Clients counted locally during an outage; at most the number of API clients. */
  private readonly countedAlone = new Set<string>();
  private answeredAt = performance.now();
  private isAway = false;
  private restUntil = 0;

  constructor(
    private readonly redis: RedisRates | undefined,
    private readonly logger: Logger,
  ) {
    shared.set(redis ? 1 : 0);
  }

  /** Counts a request if it is admitted. */
  async take(clientId: string, rate: Rate): Promise<Take> {
    const outcome = await this.askRedis((redis) => redis.take(clientId, rate, this.unseenDebtOf(clientId)));
    if (!outcome) return this.takeAlone(clientId, rate);
    // Redis does not record rejected requests.
    if (outcome.admitted) this.countedAlone.delete(clientId);
    this.own.note(clientId, outcome.debtMs);
    return outcome;
  }

  /** Returns the client's debt in milliseconds, without counting a request. */
  async debtOf(clientId: string): Promise<number> {
    return (
      (await this.askRedis((redis) => redis.debtOf(clientId, this.unseenDebtOf(clientId)))) ?? this.own.debtOf(clientId)
    );
  }

  private takeAlone(clientId: string, rate: Rate): Take {
    if (this.redis) this.countedAlone.add(clientId);
    return this.own.take(clientId, rate);
  }

  /** Returns the debt that Redis missed during an outage. Without it, the client would get a second burst. */
  private unseenDebtOf(clientId: string): number {
    return this.countedAlone.has(clientId) ? this.own.debtOf(clientId) : 0;
  }

  async onApplicationShutdown(): Promise<void> {
    await this.redis?.close();
  }

  /** @returns undefined if Redis is down or did not reply in time */
  private async askRedis<T>(question: (redis: RedisRates) => Promise<T>): Promise<T | undefined> {
    if (!this.redis || performance.now() < this.restUntil) return undefined;
    if (this.isAway) this.restUntil = performance.now() + REST_MS;
    try {
      const answer = await question(this.redis);
      this.recordSuccess();
      return answer;
    } catch (error) {
      this.recordFailure(error);
      return undefined;
    }
  }

  private recordSuccess(): void {
    this.answeredAt = performance.now();
    if (!this.isAway) return;
    this.isAway = false;
    this.restUntil = 0;
    shared.set(1);
    this.logger.info('rate-limit.redis-recovered');
  }

  private recordFailure(error: unknown): void {
    if (this.isAway || performance.now() - this.answeredAt < PATIENCE_MS) return;
    this.isAway = true;
    this.restUntil = performance.now() + REST_MS;
    shared.set(0);
    this.logger.error({ err: error }, 'rate-limit.redis-unavailable');
  }
}

/** Creates the rate store, which connects to Redis in the background. */
export async function rateStoreOf({ REDIS_URL, BROKER_NAMESPACE }: GatewayConfig, logger: Logger): Promise<RateStore> {
  if (REDIS_URL === undefined) return new RateStore(undefined, logger);
  // The client consists of about 500 files, and most installations have no Redis.
  const { RedisRates } = await import('./redis-rates');
  return new RateStore(new RedisRates(REDIS_URL, { namespace: BROKER_NAMESPACE, logger }), logger);
}
