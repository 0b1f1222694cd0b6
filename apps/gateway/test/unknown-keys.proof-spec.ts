import { eventually } from '@switchboard/testing';
import pg from 'pg';
import { generateApiKey } from '../src/api-keys/api-key';
import { SELECT_CLIENTS } from '../src/auth/clients.queries';
import { GATHER_MS } from '../src/auth/gathered-reads';
import { expectOurShape } from './support/error-shape';
import { type GatewayUnderTest, startGateway } from './support/gateway';
import { type Answer, call } from './support/http';

const PER_MINUTE = 60;
const FLOOD = 10_000;
const AT_ONCE = 200;

describe('unknown keys', () => {
  let gateway: GatewayUnderTest;
  let queries = 0;

  beforeAll(async () => {
    gateway = await startGateway({ settings: { TRUSTED_PROXY_HOPS: 1 } });
    countReads();
  });
  beforeEach(() => void (queries = 0));
  afterAll(() => gateway.close());

  /** Counts the gateway's database queries for keys, and passes them on. */
  const countReads = (): void => {
    const ask = pg.Client.prototype.query as (this: pg.Client, ...given: unknown[]) => unknown;
    pg.Client.prototype.query = function (this: pg.Client, ...given: unknown[]): unknown {
      if ((given[0] as { text?: string }).text === SELECT_CLIENTS) queries += 1;
      return ask.apply(this, given);
    } as typeof pg.Client.prototype.query;
  };
  const me = (key: string, from: string) => call(`${gateway.url}/v1/me`, { key, headers: { 'x-forwarded-for': from } });
  const tryKeys = async (
    count: number,
    from: string,
    note: (answer: Answer) => void = () => undefined,
  ): Promise<void> => {
    let left = count;
    const workers = Array.from({ length: Math.min(AT_ONCE, count) }, async () => {
      while (left > 0) {
        left -= 1;
        note(await me(generateApiKey(), from));
      }
    });
    await Promise.all(workers);
  };

  it(`cause few queries and lock out no valid key`, async () => {
    const from = '203.0.113.7';
    const statuses = new Map<number, number>();
    const refusals: Answer[] = [];
    const startedAt = performance.now();
    const flood = tryKeys(FLOOD, from, (answer) => {
      statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
      if (answer.status === 429) refusals.push(answer);
    });
    await eventually(() => expect(refusals.length).toBeGreaterThan(0));
    // Keys that this gateway has never seen, among the unknown ones.
    const good = await Promise.all(Array.from({ length: 20 }, () => gateway.customer()));
    for (const { apiKey } of good) expect((await me(apiKey, from)).status).toBe(200);
    await flood;
    const elapsedMs = performance.now() - startedAt;
    const comeBack = Math.ceil((elapsedMs / 60_000) * PER_MINUTE);
    const most = PER_MINUTE + comeBack + Math.ceil(elapsedMs / GATHER_MS) + good.length;
    process.stdout.write(
      `${FLOOD} unknown keys in ${(elapsedMs / 1_000).toFixed(1)} s: ${queries} queries (at most ${most}), answers ${JSON.stringify([...statuses])}\n`,
    );
    expect(queries).toBeLessThanOrEqual(most);
    expect((statuses.get(401) ?? 0) + (statuses.get(429) ?? 0)).toBe(FLOOD);
    expect(statuses.get(401)).toBeLessThanOrEqual(PER_MINUTE + comeBack);
    const [refusal] = refusals as [Answer];
    expectOurShape(refusal);
    expect([refusal.body.code, refusal.body.message]).toEqual([
      'RATE_LIMITED',
      'rate limit exceeded: too many unknown API keys from this address',
    ]);
    expect(Number(refusal.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
  }, 120_000);

  it('are counted per IPv4 address or IPv6 network', async () => {
    const statuses: number[] = [];
    const note = ({ status }: Answer): void => void statuses.push(status);
    const startedAt = performance.now();
    await tryKeys(PER_MINUTE, '2001:db8:1:2::1', note);
    await tryKeys(PER_MINUTE, '2001:db8:1:2:ffff::9', note);
    const comeBack = Math.ceil(((performance.now() - startedAt) / 60_000) * PER_MINUTE);
    expect(statuses.filter((status) => status === 401).length).toBeLessThanOrEqual(PER_MINUTE + comeBack);
    expect(statuses).toContain(429);
    expect((await me(generateApiKey(), '2001:db8:1:3::1')).status).toBe(401);
  });

  it('cost one query per distinct key', async () => {
    const key = generateApiKey();
    for (let times = 0; times < PER_MINUTE + 5; times += 1) expect((await me(key, '203.0.113.8')).status).toBe(401);
    expect(queries).toBe(1);
  });

  it('the limit ignores valid keys', async () => {
    const good = await Promise.all(Array.from({ length: PER_MINUTE + 5 }, () => gateway.customer()));
    for (const { apiKey } of good) expect((await me(apiKey, '203.0.113.9')).status).toBe(200);
    expect((await me(generateApiKey(), '203.0.113.9')).status).toBe(401);
  });

  it('the limit ignores mistyped keys, which need no query', async () => {
    for (let times = 0; times < PER_MINUTE + 5; times += 1)
      expect((await me(`sb_live_${'x'.repeat(30)}`, '203.0.113.10')).status).toBe(401);
    expect(queries).toBe(0);
  });

  it('are accepted within a second once they become valid', async () => {
    const { apiKey, keyId } = await gateway.customer({ expiresAt: new Date(Date.now() - 1) });
    expect((await me(apiKey, '203.0.113.11')).status).toBe(401);
    await gateway.services.keys.setKey({ keyId }, { expiresAt: null }, 'test');
    await eventually(async () => expect((await me(apiKey, '203.0.113.11')).status).toBe(200), { timeoutMs: 1_000 });
  });
});
