import { Injectable, Module } from '@nestjs/common';
import { DiscoveryModule, NestFactory } from '@nestjs/core';
import { Every, Loops } from './every';
import { createLogger } from './logging';
import { metricsRegistry } from './metrics';
import { LOGGER } from './service';

@Injectable()
class Counter {
  readonly signals: AbortSignal[] = [];
  together = 0;
  most = 0;

  @Every({ name: 'count', everyMs: 1 })
  async count(signal: AbortSignal): Promise<void> {
    this.signals.push(signal);
  }

  /** Waits until both loops run this method at the same time. */
  @Every({ name: 'pair', everyMs: 1, parallel: 2 })
  async pair(signal: AbortSignal): Promise<void> {
    this.together += 1;
    this.most = Math.max(this.most, this.together);
    while (this.together < 2 && this.most < 2 && !signal.aborted) await new Promise((resolve) => setImmediate(resolve));
    this.together -= 1;
  }

  async never(): Promise<void> {
    throw new Error('nothing asks for this');
  }
}

class MoreCounter extends Counter {}

@Module({
  imports: [DiscoveryModule],
  providers: [
    Loops,
    Counter,
    MoreCounter,
    { provide: LOGGER, useValue: createLogger('test', 'silent') },
    { provide: 'nothing', useValue: null },
    { provide: 'bare', useValue: Object.create(null) as object },
  ],
})
class CountingModule {}

describe('a method with Every', () => {
  it('runs for each provider until shutdown, also when inherited', async () => {
    const app = await NestFactory.createApplicationContext(CountingModule, { logger: false });
    const counters = [app.get(Counter), app.get(MoreCounter)];
    const until = Date.now() + 5_000;
    const isDone = (): boolean => counters.every(({ signals, most }) => signals.length >= 3 && most === 2);
    while (!isDone() && Date.now() < until) await new Promise((resolve) => setImmediate(resolve));
    expect(counters.map(({ most }) => most)).toEqual([2, 2]);
    await app.close();
    const { values = [] } =
      (await metricsRegistry.getSingleMetric('switchboard_loop_last_success_timestamp_seconds')?.get()) ?? {};
    expect(values.map(({ labels }) => labels['loop'])).toEqual(expect.arrayContaining(['count', 'pair']));
    expect(values.every(({ value }) => Math.abs(value - Date.now() / 1_000) < 60)).toBe(true);
    const { values: periods = [] } =
      (await metricsRegistry.getSingleMetric('switchboard_loop_every_seconds')?.get()) ?? {};
    expect(periods.map(({ labels }) => labels['loop'])).toEqual(expect.arrayContaining(['count', 'pair']));
    expect(periods.find(({ labels }) => labels['loop'] === 'count')?.value).toBe(0.001);
    const lengths = counters.map(({ signals }) => signals.length);
    expect(Math.min(...lengths)).toBeGreaterThanOrEqual(3);
    expect(counters.every(({ signals }) => signals.every(({ aborted }) => aborted))).toBe(true);
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(counters.map(({ signals }) => signals.length)).toEqual(lengths);
  });
});
