import { accessChangedV1, sendMessageV1 } from '@switchboard/contracts';
import { counter } from '@switchboard/platform';
import { eventually, startTcpProxy, type TcpProxy } from '@switchboard/testing';
import { signCallback } from '@switchboard/upstream';
import { APP_SECRET, type Customer, type GatewayUnderTest, startGateway } from './support/gateway';
import { type Answer, call } from './support/http';

const SEND = { to: '919812345678', type: 'text', text: { body: 'hi' } };
/** What is refused by 503 and must never be sent, also later. */
const REFUSED = { ...SEND, clientRef: 'answered-503' };
const CALLBACK = '{"object":"whatsapp_business_account","entry":[]}';
const LIMIT_MS = 2_000;
/** Promise 28 of ADR 41. */
const SILENCE_MS = 10_000;

async function through(address: string): Promise<TcpProxy> {
  const { hostname, port } = new URL(address);
  return startTcpProxy({ host: hostname, port: Number(port) });
}

async function accessChangesHeard(): Promise<number> {
  const { values } = await counter('broker_deliveries_total', '', { contract: [], outcome: [] }).get();
  return values.find(({ labels }) => labels.contract === accessChangedV1.name)?.value ?? 0;
}

describe('a gateway whose database or broker is away', () => {
  let gateway: GatewayUnderTest;
  let customer: Customer;
  /** Several: one account alone may not read with all connections. */
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
    // That a key is new makes the gateway read it once more.
    await eventually(async () => expect(await accessChangesHeard()).toBeGreaterThanOrEqual(customers.length));
  });
  afterAll(async () => {
    await gateway.close();
    await Promise.all([database.close(), broker.close()]);
  });

  const send = () => call(`${gateway.url}/v1/messages/send`, { key: customer.apiKey, body: SEND });
  const sendRefused = (headers: Record<string, string> = {}) =>
    call(`${gateway.url}/v1/messages/send`, { key: customer.apiKey, body: REFUSED, headers });
  const wasSent = (): boolean => JSON.stringify(gateway.standIns.of(sendMessageV1)).includes(REFUSED.clientRef);
  const me = (by = customer) => call(`${gateway.url}/v1/me`, { key: by.apiKey });
  /** Two reads of each account at once. */
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

  /** Opens every connection that requests may use: a single request after another would only ever meet the same one. */
  const warmUp = (): Promise<void> =>
    eventually(async () => {
      await everybody(me);
      await Promise.all(Array.from({ length: 4 }, sendCallback));
      expect(database.connections()).toBeGreaterThanOrEqual(gateway.config.DATABASE_REQUEST_CONNECTIONS + 1);
    });

  it('works when both are there', async () => {
    expect((await send()).status).toBe(200);
    expect((await sendCallback()).status).toBe(200);
  });

  it('answers 503 in time when the database hangs, and works when it is back', async () => {
    await warmUp();
    database.freeze();
    await everybody((by) => expectUnavailable(() => me(by)));
    await expectUnavailable(() => sendRefused({ 'idempotency-key': 'k' }));
    // Nothing of the gateway's own is needed, as long as it remembers the key.
    expect((await send()).status).toBe(200);
    await expectUnavailable(sendCallback);
    expect((await call(`${gateway.url}/v1/me`)).status).toBe(401);
    database.thaw();
    await worksAgain();
    expect(wasSent()).toBe(false);
  });

  it('works again within seconds when the open connections to the database go silent and new ones work (promise 28 of ADR 41)', async () => {
    await warmUp();
    database.freezeOpen();
    const silentAt = performance.now();
    // One after another, so that each silent connection would cost its own time.
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

  it('answers 503 in time when the broker hangs, then at once, and works when it is back', async () => {
    broker.freeze();
    const list = () => call(`${gateway.url}/v1/messages`, { key: customer.apiKey });
    // The first expires or ends when the connection is given up, whichever comes first; by the end of the second it is
    // given up. For a second after that a caller waits for another connection.
    for (let reads = 0; reads < 3; reads += 1) await expectUnavailable(list);
    const sentBefore = gateway.standIns.of(sendMessageV1).length;
    const startedAt = performance.now();
    await expectUnavailable(sendRefused);
    expect(performance.now() - startedAt).toBeLessThan(500);
    expect((await sendCallback()).status).toBe(200);
    expect(gateway.standIns.of(sendMessageV1)).toHaveLength(sentBefore);
    broker.thaw();
    await worksAgain();
    expect(wasSent()).toBe(false);
  });

  it('does not call a send undone that was on its way when the broker began to hang', async () => {
    broker.freeze();
    const startedAt = performance.now();
    const { status, body } = await send();
    expect([status, body.code]).toEqual([504, 'OUTCOME_UNKNOWN']);
    expect(performance.now() - startedAt).toBeLessThan(LIMIT_MS);
    broker.thaw();
    await worksAgain();
  });
});
