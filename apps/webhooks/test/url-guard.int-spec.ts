import { readUrl } from '@switchboard/contracts';
import { once } from 'node:events';
import { type AddressInfo, createServer, type LookupFunction } from 'node:net';
import { type Receiver, redirecting, startReceiver } from '@switchboard/testing';
import { Agent, request } from 'undici';
import { CustomerHttp } from '../src/customer-http/customer-http';
import { guardedConnector } from '../src/customer-http/guarded-connect';
import { REFUSED_HOSTS } from './refused-hosts';

const PUBLIC_ADDRESS = '203.0.112.1';

describe('outgoing connection guard', () => {
  let canary: Receiver;

  beforeAll(async () => {
    canary = await startReceiver();
  });

  afterAll(async () => {
    expect(canary.received).toEqual([]);
    await canary.close();
  });

  /** Connects without the first layer, which checks the text of the URL. */
  async function reach(host: string, lookup?: LookupFunction, port = new URL(canary.url).port): Promise<unknown> {
    const agent = new Agent({ connect: guardedConnector({ allowPrivate: false, timeoutMs: 500, lookup }) });
    try {
      return (await request(`http://${host}:${port}/`, { dispatcher: agent, method: 'POST', body: 'x' })).statusCode;
    } catch (error) {
      return (error as { errorClass?: string }).errorClass;
    } finally {
      await agent.destroy();
    }
  }

  const resolvingTo =
    (...addresses: string[]): LookupFunction =>
    (_hostname, _options, callback) =>
      callback(
        null,
        addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
      );

  it.each([
    '127.0.0.1',
    '127.1',
    '0x7f.1',
    '2130706433',
    '0',
    '[::1]',
    '[::ffff:127.0.0.1]',
    '１２７.0.0.1',
    'localhost',
  ])('blocks the host %s', async (host) => expect(await reach(host)).toBe('blocked'));

  it.each([['127.0.0.1'], ['::1'], ['::ffff:127.0.0.1'], ['10.0.0.1'], ['169.254.169.254'], ['64:ff9b::7f00:1']])(
    'blocks a name that resolves to %s',
    async (address) => expect(await reach('hook.example.com', resolvingTo(address))).toBe('blocked'),
  );

  it('blocks a name with any private address, without connecting', async () => {
    let connections = 0;
    const server = createServer((socket) => {
      connections += 1;
      socket.destroy();
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    expect(await reach('hook.example.com', resolvingTo('127.0.0.1', PUBLIC_ADDRESS), String(port))).toBe('blocked');
    expect(connections).toBe(0);
    server.close();
  });

  it('checks the address it connects to, even when DNS alternates', async () => {
    let asked = 0;
    const flipping: LookupFunction = (hostname, options, callback) => {
      asked += 1;
      resolvingTo(asked % 2 === 1 ? PUBLIC_ADDRESS : '127.0.0.1')(hostname, options, callback);
    };
    const outcomes = [];
    for (let attempt = 0; attempt < 4; attempt += 1) outcomes.push(await reach('hook.example.com', flipping));
    expect(outcomes.filter((_outcome, attempt) => attempt % 2 === 1)).toEqual(['blocked', 'blocked']);
    expect(outcomes.filter((_outcome, attempt) => attempt % 2 === 0)).not.toContain('blocked');
    expect(asked).toBe(4);
  });

  it('blocks a socket that connects to a private address', async () => {
    let reads = 0;
    const changing: LookupFunction = (_hostname, _options, callback) => {
      const found = {
        family: 4,
        // A public address when checked, a private one when connected.
        get address() {
          return (reads += 1) === 1 ? PUBLIC_ADDRESS : '127.0.0.1';
        },
      };
      callback(null, [found]);
    };
    expect(await reach('hook.example.com', changing)).toBe('blocked');
    expect(reads).toBeGreaterThan(1);
  });

  it('times out when a lookup takes longer than the attempt', async () =>
    expect(await reach('hook.example.com', () => undefined)).toBe('timeout'));

  it('reports a name without addresses as a failed lookup', async () => {
    expect(await reach('hook.example.com', resolvingTo())).toBe('dns');
  });

  it('blocks every notation of an internal host (guarantee 12 of ADR 41)', async () => {
    const http = new CustomerHttp({ allowPrivate: false });
    const { port } = new URL(canary.url);
    const [byText, byConnection]: string[][] = [[], []];
    for (const host of REFUSED_HOSTS) {
      byText?.push(
        String(
          (await http.call({ method: 'POST', url: `https://${host}:${port}/`, headers: {}, body: Buffer.from('x') }))
            .errorClass,
        ),
      );
      if (readUrl(`http://${host}:${port}/`)) byConnection?.push(String(await reach(host)));
    }
    await http.onApplicationShutdown();
    expect(new Set(byText)).toEqual(new Set(['blocked']));
    // Hosts that fail the lookup are not reached.
    expect(byConnection?.filter((outcome) => !['blocked', 'dns'].includes(outcome))).toEqual([]);
    expect(byText?.length).toBeGreaterThanOrEqual(40);
    expect(canary.received).toEqual([]);
  }, 60_000);

  it('does not follow any redirect to an internal host', async () => {
    const elsewhere = await startReceiver();
    const http = new CustomerHttp({ allowPrivate: true });
    for (const status of [301, 302, 303, 307, 308]) {
      elsewhere.respondWith(redirecting(canary.url, status));
      expect(
        await http.call({ method: 'POST', url: elsewhere.url, headers: {}, body: Buffer.from('x') }),
      ).toMatchObject({ errorClass: 'status', statusCode: status });
    }
    await http.onApplicationShutdown();
    await elsewhere.close();
    expect(canary.received).toEqual([]);
  });

  it('applies to every request of the service', async () => {
    const http = new CustomerHttp({ allowPrivate: false });
    for (const url of [canary.url, canary.url.replace('http', 'https')]) {
      expect(await http.call({ method: 'POST', url, headers: {}, body: Buffer.from('x') })).toMatchObject({
        errorClass: 'blocked',
        statusCode: null,
      });
    }
    await http.onApplicationShutdown();
  });
});
