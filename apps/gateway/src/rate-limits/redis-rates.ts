import { createClient } from '@redis/client';
import { type Logger, withTimeout } from '@switchboard/platform';
import type { Rate, Take } from './gcra';

/** Command timeout in milliseconds. A slower Redis counts as down, since every request would wait for it. */
const COMMAND_TIMEOUT_MS = 250;
const CONNECT_TIMEOUT_MS = 2_000;
const LONGEST_PAUSE_MS = 1_000;

/**
 * Function `take` of gcra.ts as one atomic Redis script, with Redis's clock in microseconds. A client without debt has
 * no key. KEYS[1] client; ARGV: cost of one request, ceiling, whether to count ('1'), minimum debt of the client.
 */
const TAKE = `
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local cost, ceiling = tonumber(ARGV[1]), tonumber(ARGV[2])
local owed = math.max(tonumber(ARGV[4]), (tonumber(redis.call('GET', KEYS[1])) or 0) - now)
if ARGV[3] ~= '1' then return {0, tostring(owed)} end
owed = math.min(owed, ceiling)
if owed + cost > ceiling + 0.001 then return {0, tostring(owed)} end
owed = owed + cost
redis.call('SET', KEYS[1], string.format('%.3f', now + owed), 'PX', math.ceil(owed / 1000) + 1)
return {1, tostring(owed)}`;

/** Counts requests in Redis, shared by all gateways. */
export class RedisRates {
  private readonly client;
  private readonly prefix: string;

  /** @param options.namespace prefix that separates installations sharing a Redis */
  constructor(url: string, { namespace, logger }: { namespace: string; logger: Logger }) {
    this.prefix = `${namespace === '' ? 'switchboard' : namespace}:rate:`;
    this.client = createClient({
      url,
      // Commands fail immediately while disconnected, rather than being queued.
      disableOfflineQueue: true,
      socket: {
        connectTimeout: CONNECT_TIMEOUT_MS,
        reconnectStrategy: (tries) => Math.min(50 * 2 ** tries, LONGEST_PAUSE_MS),
      },
    });
    // The client reconnects automatically, and callers report the outage.
    this.client.on('error', (error: Error) => logger.debug({ err: error }, 'redis.failed'));
    this.client.connect().catch((error: unknown) => logger.debug({ err: error }, 'redis.connect-failed'));
  }

  /**
   * Counts a request.
   * @param leastDebtMs minimum debt, of a client that was counted elsewhere during an outage
   * @throws Error if Redis is down or slow
   */
  take(clientId: string, { limit, windowMs, burst }: Rate, leastDebtMs: number): Promise<Take> {
    const costMicros = (windowMs * 1_000) / limit;
    return this.run(clientId, [costMicros, costMicros * burst, 1, leastDebtMs * 1_000]);
  }

  /** @throws Error if Redis is down or slow */
  async debtOf(clientId: string, leastDebtMs: number): Promise<number> {
    return (await this.run(clientId, [0, 0, 0, leastDebtMs * 1_000])).debtMs;
  }

  async close(): Promise<void> {
    this.client.destroy();
  }

  private async run(clientId: string, figures: number[]): Promise<Take> {
    const asked = this.client.eval(TAKE, { keys: [this.prefix + clientId], arguments: figures.map(String) });
    const late = (): Error => new Error(`Redis did not answer in ${COMMAND_TIMEOUT_MS} ms`);
    const [admitted, micros] = (await withTimeout(asked, COMMAND_TIMEOUT_MS, late)) as [number, string];
    return { admitted: admitted === 1, debtMs: Number(micros) / 1_000 };
  }
}
