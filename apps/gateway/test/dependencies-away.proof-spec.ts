import { accessChangedV1, sendMessageV1 } from '@switchboard/contracts';
import { counter } from '@switchboard/platform';
import { eventually, startTcpProxy, type TcpProxy } from '@switchboard/testing';
import { signCallback } from '@switchboard/upstream';
import { APP_SECRET, type Customer, type GatewayUnderTest, startGateway } from './support/gateway';
import { type Answer, call } from './support/http';

const SEND = { to: '919812345678', type: 'text', text: { body: 'hi' } };
/** Send that is rejected with 503 and must never be executed, not even later. */
const REFUSED = { ...SEND, clientRef: 'answered-503' };
const CALLBACK = '{"object":"whatsapp_business_account","entry":[]}';
const LIMIT_MS = 2_000;
/** Maximum outage in milliseconds from silent connections (guarantee 28 of ADR 41). */
const SILENCE_MS = 10_000;

async function through(address: string): Promise<TcpProxy> {
  const { hostname, port } = new URL(address);
  return startTcpProxy({ host: hostname, port: Number(port) });
}

async function accessChangesHeard(): Promise<number> {
  const { values } = await counter('broker_deliveries_total', '', { contract: [], outcome: [] }).get();
  return values.find(({ labels }) => labels.contract === accessChangedV1.name)?.value ?? 0;
}

describe('gateway with a failed database or broker', () => {
  let gateway: GatewayUnderTest;
  let customer: Customer;
  /** Several customers, since the reads of one account cannot use all connections. */
  let customers: Customer[];
  let database: TcpProxy;
  let broker: TcpProxy;

  beforeAll(async () => {
    gateway = await startGateway({
      databaseUrl: async (url) => (database = await through(url)).through(url),
      brokerUrl: async (url) => (broker = await through(url)).through(url),
    });
    customers = await Promise.all(Array.from({ length: 8 }, () => gateway.customer()));
    [customer] = customers as [Customer];
    // The event about a new key makes the gateway read the key again.
    await eventually(async () => expect(await accessChangesHeard()).toBeGreaterThanOrEqual(customers.length));
  });
  afterAll(async () => {
    await gateway.close();
    await Promise.all([database.close(), broker.close()]);
  });

  const send = () => call(`${gateway.url}/v1/messages/send`, { key: customer.apiKey, body: SEND });
  const sendRefused = (headers: Record<string, string> = {}) =>
    call(`${gateway.url}/v1/messages/send`, { key: customer.apiKey, body: REFUSED, headers });
  const wasSent = (): boolean => JSON.stringify(gateway.fakes.of(sendMessageV1)).includes(REFUSED.clientRef);
  const me = (by = customer) => call(`${gateway.url}/v1/me`, { key: by.apiKey });
  /** Runs two concurrent reads for each account. */
  const everybody = <T>(read: (by: Customer) => Promise<T>): Promise<T[]> =>
    Promise.all([...customers, ...customers].map(read));
  const sendCallback = () =>
    call(`${gateway.url}/callbacks/upstream`, {
      body: CALLBACK,
      headers: { 'x-hub-signature-256': signCallback(CALLBACK, APP_SECRET) },
    });
  const worksAgain = () => eventually(async () => expect((await send()).status).toBe(200), { timeoutMs: 15_000 });
  const expectUnavailable = async (request: () => Promise<Answer>): Promise<void> => {
    const startedAt = performance.now();
    const { status, body } = await request();
    expect([status, body.code, body.message]).toEqual([503, 'UNAVAILABLE', 'the service is temporarily unavailable']);
    expect(performance.now() - startedAt).toBeLessThan(LIMIT_MS);
  };

  /** Opens all request connections. Sequential requests would reuse a single one. */
  const warmUp = (): Promise<void> =>
    eventually(async () => {
      await everybody(me);
      await Promise.all(Array.from({ length: 4 }, sendCallback));
      expect(database.connections()).toBeGreaterThanOrEqual(gateway.config.DATABASE_REQUEST_CONNECTIONS + 1);
    });

  it('responds normally when both are up', async () => {
    expect((await send()).status).toBe(200);
    expect((await sendCallback()).status).toBe(200);
  });

  it('returns 503 while the database hangs, then recovers', async () => {
    await warmUp();
    database.freeze();
    await everybody((by) => expectUnavailable(() => me(by)));
    await expectUnavailable(() => sendRefused({ 'idempotency-key': 'k' }));
    // Needs no query while the key is cached.
    expect((await send()).status).toBe(200);
    await expectUnavailable(sendCallback);
    expect((await call(`${gateway.url}/v1/me`)).status).toBe(401);
    database.thaw();
    await worksAgain();
    expect(wasSent()).toBe(false);
  });

  it('recovers within seconds from silent database connections (guarantee 28 of ADR 41)', async () => {
    await warmUp();
    database.freezeOpen();
    const silentAt = performance.now();
    // Sequential requests, so that each silent connection would cost its own timeout.
    const answersAgain = async (): Promise<boolean> => {
      const startedAt = performance.now();
      const { status } = await me();
      expect([200, 503]).toContain(status);
      expect(performance.now() - startedAt).toBeLessThan(LIMIT_MS);
      return status === 200;
    };
    expect(await answersAgain()).toBe(false);
    while (!(await answersAgain())) expect(performance.now() - silentAt).toBeLessThan(SILENCE_MS);
    const answers = await Promise.all([everybody(me), sendCallback(), send()]);
    expect(answers.flat().map(({ status }) => status)).toEqual(answers.flat().map(() => 200));
  });

  it('returns 503 while the broker hangs, then recovers', async () => {
    broker.freeze();
    const list = () => call(`${gateway.url}/v1/messages`, { key: customer.apiKey });
    // The first request times out, or fails when the connection is abandoned, at the latest at the end of the second.
    // For a second after that, callers wait for another connection.
    for (let reads = 0; reads < 3; reads += 1) await expectUnavailable(list);
    const sentBefore = gateway.fakes.of(sendMessageV1).length;
    const startedAt = performance.now();
    await expectUnavailable(sendRefused);
    expect(performance.now() - startedAt).toBeLessThan(500);
    expect((await sendCallback()).status).toBe(200);
    expect(gateway.fakes.of(sendMessageV1)).toHaveLength(sentBefore);
    broker.thaw();
    await worksAgain();
    expect(wasSent()).toBe(false);
  });

  it('returns an unknown outcome for a send in flight', async () => {
    broker.freeze();
    const startedAt = performance.now();
    const { status, body } = await send();
    expect([status, body.code]).toEqual([504, 'OUTCOME_UNKNOWN']);
    expect(performance.now() - startedAt).toBeLessThan(LIMIT_MS);
    broker.thaw();
    await worksAgain();
  });
});
