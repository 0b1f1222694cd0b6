import type { OnApplicationShutdown } from '@nestjs/common';
import { gauge, type Logger } from '@switchboard/platform';
import type { GatewayConfig } from '../config';
import type { Rate, Take } from './gcra';
import { MemoryRates } from './memory-rates';
import { RedisRates } from './redis-rates';

/** A shared store that has answered nothing for so long is away; a single answer that is late says nothing. */
const PATIENCE_MS = 1_000;
/** While it is away one request in so long a time tries it; the others do not wait for its time-out. */
const REST_MS = 1_000;

const shared = gauge(
  'rate_limit_shared',
  'Whether rate limits are shared by all gateways now (1) or counted by each for itself (0)',
);

/**
 * Redis when there is one, so that all gateways count together. While it is away each gateway counts for itself, from
 * where the client last stood, and grants the whole rate: no customer is refused for a fault of ours, and until it is
 * back n gateways admit up to n times the limit. When it is back it learns from each gateway how far its clients had
 * come.
 */
export class RateStore implements OnApplicationShutdown {
  private readonly own = new MemoryRates();
  /** Clients whose requests Redis has not seen all of; no more than there are API clients. */
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

  /** Counts one request, when it is admitted. */
  async take(clientId: string, rate: Rate): Promise<Take> {
    const outcome = await this.askRedis((redis) => redis.take(clientId, rate, this.unseenDebtOf(clientId)));
    if (!outcome) return this.takeAlone(clientId, rate);
    // A refused request leaves nothing in Redis.
    if (outcome.admitted) this.countedAlone.delete(clientId);
    this.own.note(clientId, outcome.debtMs);
    return outcome;
  }

  /** How far the client is ahead, in milliseconds, without counting. */
  async debtOf(clientId: string): Promise<number> {
    return (
      (await this.askRedis((redis) => redis.debtOf(clientId, this.unseenDebtOf(clientId)))) ?? this.own.debtOf(clientId)
    );
  }

  private takeAlone(clientId: string, rate: Rate): Take {
    if (this.redis) this.countedAlone.add(clientId);
    return this.own.take(clientId, rate);
  }

  /** What Redis must be told when it is back, or the client would have its burst once more. */
  private unseenDebtOf(clientId: string): number {
    return this.countedAlone.has(clientId) ? this.own.debtOf(clientId) : 0;
  }

  async onApplicationShutdown(): Promise<void> {
    await this.redis?.close();
  }

  /** @returns undefined when it is away or did not answer in time */
  private async askRedis<T>(question: (redis: RedisRates) => Promise<T>): Promise<T | undefined> {
    if (!this.redis || performance.now() < this.restUntil) return undefined;
    if (this.isAway) this.restUntil = performance.now() + REST_MS;
    try {
      const answer = await question(this.redis);
      this.noteAnswer();
      return answer;
    } catch (error) {
      this.noteFailure(error);
      return undefined;
    }
  }

  private noteAnswer(): void {
    this.answeredAt = performance.now();
    if (!this.isAway) return;
    this.isAway = false;
    this.restUntil = 0;
    shared.set(1);
    this.logger.info('rate-limit.redis-recovered');
  }

  private noteFailure(error: unknown): void {
    if (this.isAway || performance.now() - this.answeredAt < PATIENCE_MS) return;
    this.isAway = true;
    this.restUntil = performance.now() + REST_MS;
    shared.set(0);
    this.logger.error({ err: error }, 'rate-limit.redis-unavailable');
  }
}

/** The store of a gateway with these settings; connects on its own and waits for nothing. */
export function rateStoreOf({ REDIS_URL, BROKER_NAMESPACE }: GatewayConfig, logger: Logger): RateStore {
  return new RateStore(
    REDIS_URL === undefined ? undefined : new RedisRates(REDIS_URL, { namespace: BROKER_NAMESPACE, logger }),
    logger,
  );
}
