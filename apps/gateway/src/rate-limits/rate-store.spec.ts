import { pino } from 'pino';
import { RateStore } from './rate-store';
import type { RedisRates } from './redis-rates';

const RATE = { limit: 10, windowMs: 60_000, burst: 10 };

describe('RateStore', () => {
  it("keeps a client's debt when Redis fails", async () => {
    let isAway = false;
    const redis = {
      take: () => (isAway ? Promise.reject(new Error('away')) : Promise.resolve({ admitted: true, debtMs: 54_000 })),
    } as unknown as RedisRates;
    const store = new RateStore(redis, pino({ level: 'silent' }));
    expect(await store.take('client', RATE)).toEqual({ admitted: true, debtMs: 54_000 });
    isAway = true;
    const outcomes = [await store.take('client', RATE), await store.take('client', RATE)];
    expect(outcomes.map(({ admitted }) => admitted)).toEqual([true, false]);
  });

  it('reports the debt to Redis once after an outage', async () => {
    let isAway = true;
    const told: number[] = [];
    const redis = {
      take: (_client: string, _rate: unknown, leastDebtMs: number) => {
        told.push(leastDebtMs);
        return isAway
          ? Promise.reject(new Error('away'))
          : Promise.resolve({ admitted: true, debtMs: leastDebtMs + 6_000 });
      },
    } as unknown as RedisRates;
    const store = new RateStore(redis, pino({ level: 'silent' }));
    await store.take('client', RATE);
    await store.take('client', RATE);
    isAway = false;
    const { debtMs } = await store.take('client', RATE);
    await store.take('client', RATE);
    expect(told.map((ms) => Math.ceil(ms / 1_000))).toEqual([0, 6, 12, 0]);
    expect(Math.ceil(debtMs / 1_000)).toBe(18);
  });

  it('counts in memory without Redis', async () => {
    const store = new RateStore(undefined, pino({ level: 'silent' }));
    const outcomes = await Promise.all(Array.from({ length: 12 }, () => store.take('client', RATE)));
    expect(outcomes.filter(({ admitted }) => admitted)).toHaveLength(10);
    expect(await store.debtOf('client')).toBeGreaterThan(59_000);
    expect(await store.debtOf('other')).toBe(0);
  });
});
