import { eventually, startTcpProxy, type TcpProxy } from '@switchboard/testing';
import { KEY_CACHE_TTL_MS } from '../src/auth/key-cache';
import { type GatewayUnderTest, startGateway, startThreeGateways } from './support/gateway';
import { call } from './support/http';

const PROMISED_MS = 1_000;
/** Maximum tries. An unannounced change is late on each try; on a busy machine only some are. */
const MOST_TRIES = 3;

describe('key change', () => {
  let gateways: GatewayUnderTest[];
  let first: GatewayUnderTest;

  beforeAll(async () => {
    gateways = await startThreeGateways();
    [first] = gateways as [GatewayUnderTest];
  });
  afterAll(async () => {
    for (const gateway of [...gateways].reverse()) await gateway.close();
  });

  const me = (gateway: GatewayUnderTest, key: string) => call(`${gateway.url}/v1/me`, { key });
  /**
   * Sends requests to every gateway continuously.
   * @returns the time from the change until the last gateway applies it, in milliseconds
   */
  const timeUntilAllKnow = async (
    key: string,
    isKnown: (answer: Awaited<ReturnType<typeof me>>) => boolean,
    change: () => Promise<unknown>,
  ): Promise<number> => {
    for (const gateway of gateways) expect((await me(gateway, key)).status).toBe(200);
    await change();
    const changedAt = performance.now();
    const times = gateways.map(async (gateway) => {
      await eventually(async () => expect(isKnown(await me(gateway, key))).toBe(true));
      return performance.now() - changedAt;
    });
    return Math.max(...(await Promise.all(times)));
  };

  it('reaches three gateways within a second when a key is revoked (guarantee 19 of ADR 41)', async () => {
    const slowestOfTen = async (): Promise<number> => {
      const times: number[] = [];
      for (let round = 0; round < 10; round += 1) {
        const { apiKey, keyId } = await first.customer();
        times.push(
          await timeUntilAllKnow(
            apiKey,
            ({ status }) => status === 401,
            () => first.services.keys.revokeKey({ keyId }, 'test'),
          ),
        );
      }
      const [slowest, median] = [Math.max(...times), [...times].sort((a, b) => a - b)[times.length / 2] ?? 0];
      process.stdout.write(
        `10 revocations over 3 gateways: dead everywhere after ${median.toFixed(0)} ms (median), ${slowest.toFixed(0)} ms (slowest)\n`,
      );
      return slowest;
    };
    let slowest = await slowestOfTen();
    for (let tries = 1; tries < MOST_TRIES && slowest >= PROMISED_MS; tries += 1) slowest = await slowestOfTen();
    expect(slowest).toBeLessThan(PROMISED_MS);
  });

  it.each<[string, (gateway: GatewayUnderTest, of: { accountId: string; keyId: string }) => Promise<unknown>, string]>([
    [
      'its address list',
      ({ services }, { keyId }) => services.keys.setKey({ keyId }, { allowedIps: ['10.0.0.0/8'] }, 'test'),
      'IP_NOT_ALLOWED',
    ],
    [
      'its route list',
      ({ services }, { keyId }) => services.keys.setKey({ keyId }, { allowedRoutes: ['GET /v1/jobs/*'] }, 'test'),
      'ROUTE_NOT_ALLOWED',
    ],
    [
      'its expiry',
      ({ services }, { keyId }) => services.keys.setKey({ keyId }, { expiresAt: new Date(Date.now() - 1) }, 'test'),
      'UNAUTHORIZED',
    ],
    [
      'its replacement without overlap',
      ({ services }, { keyId }) => services.keys.rotateKey({ keyId }, 0, 'test'),
      'UNAUTHORIZED',
    ],
  ])('reaches all gateways within a second for %s', async (_what, change, code) => {
    const customer = await first.customer();
    expect(
      await timeUntilAllKnow(
        customer.apiKey,
        ({ body }) => body.code === code,
        () => change(first, customer),
      ),
    ).toBeLessThan(PROMISED_MS);
  });

  it('reaches all gateways for plans and overrides', async () => {
    await first.services.plans.setPlan('moving', { rateLimit: 50 }, 'test');
    const { apiKey, accountId } = await first.customer({ plan: 'moving' });
    const shows = (limit: number) => (answer: Awaited<ReturnType<typeof me>>) =>
      answer.headers.get('x-ratelimit-limit') === String(limit);
    const { plans, overrides } = first.services;
    expect(
      await timeUntilAllKnow(apiKey, shows(500), () => plans.setPlan('moving', { rateLimit: 500 }, 'test')),
    ).toBeLessThan(PROMISED_MS);
    expect(
      await timeUntilAllKnow(apiKey, shows(700), () => overrides.setOverrides(accountId, { rateLimit: 700 }, 'test')),
    ).toBeLessThan(PROMISED_MS);
    expect(
      await timeUntilAllKnow(apiKey, shows(6_000), async () => {
        await overrides.resetOverrides(accountId, 'test');
        await overrides.setPlan(accountId, 'scale', 'test');
      }),
    ).toBeLessThan(PROMISED_MS);
  });

  it('does not query the database for each request', async () => {
    const onlyJobs = "UPDATE api_keys SET allowed_routes = '{GET /v1/jobs/*}' WHERE id = $1";
    // The event about an earlier change may arrive between the two requests, in which case another key is tried.
    await eventually(async () => {
      const { apiKey, keyId } = await first.customer();
      expect((await me(first, apiKey)).status).toBe(200);
      // This change publishes no event.
      await first.database.dataSource.query(onlyJobs, [keyId]);
      expect((await me(first, apiKey)).status).toBe(200);
    });
  });
});

describe('key change with a lost event', () => {
  it('applies within 30 s or on broker reconnect', async () => {
    let proxy: TcpProxy | undefined;
    const gateway = await startGateway({
      brokerUrl: async (url) => {
        const { hostname, port } = new URL(url);
        proxy = await startTcpProxy({ host: hostname, port: Number(port) });
        return proxy.through(url);
      },
    });
    const status = async (key: string) => (await call(`${gateway.url}/v1/templates?name=é`, { key })).status;
    const remembered = await gateway.customer();
    const other = await gateway.customer();
    for (const { apiKey } of [remembered, other]) expect(await status(apiKey)).toBe(200);

    // The event is published while this gateway is disconnected, so it is lost.
    proxy?.freeze();
    const frozenAt = performance.now();
    await gateway.database.dataSource.query('UPDATE api_keys SET revoked_at = now() WHERE id = $1', [other.keyId]);
    proxy?.thaw();
    await eventually(async () => expect(await status(other.apiKey)).toBe(401), { timeoutMs: KEY_CACHE_TTL_MS });
    expect(performance.now() - frozenAt).toBeLessThan(KEY_CACHE_TTL_MS / 2);

    // Changes the row without publishing an event.
    await eventually(async () => expect(await status(remembered.apiKey)).toBe(200));
    await gateway.database.dataSource.query('UPDATE api_keys SET revoked_at = now() WHERE id = $1', [remembered.keyId]);
    const revokedAt = performance.now();
    await eventually(async () => expect(await status(remembered.apiKey)).toBe(401), {
      timeoutMs: KEY_CACHE_TTL_MS + 2_000,
    });
    const lostMs = performance.now() - revokedAt;
    process.stdout.write(`revoked without an event: dead after ${(lostMs / 1_000).toFixed(1)} s\n`);
    expect(lostMs).toBeLessThan(KEY_CACHE_TTL_MS + 1_000);
    await gateway.close();
    await proxy?.close();
  }, 90_000);
});
