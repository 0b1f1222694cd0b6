import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { request } from 'node:https';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { sendMessageV1 } from '@switchboard/contracts';
import { freePort } from '@switchboard/testing';
import { FILES } from './support/files';
import { type Customer, type GatewayUnderTest, startGateway } from './support/gateway';

const ROOT = resolve(import.meta.dirname, '../../..');
const MIB = 1_048_576;
const BOUNDARY = 'boundary-of-the-form';
const CHUNK = Buffer.alloc(MIB, 'x');

interface Proxy {
  httpPort: number;
  httpsPort: number;
  ca: string;
  stop(): Promise<void>;
}

interface CaddyTools {
  startCaddy(options: {
    dir: string;
    httpPort: number;
    httpsPort: number;
    gatewayAddress: string;
    log(text: string): void;
  }): Promise<Pick<Proxy, 'ca' | 'stop'>>;
}

async function proxyTo(gatewayAddress: string, name: string): Promise<Proxy> {
  const [httpPort, httpsPort] = [await freePort(), await freePort()];
  const { startCaddy } = (await import(join(ROOT, 'tools/infra/caddy.mjs'))) as CaddyTools;
  const dir = join(ROOT, '.local', name);
  const log = (text: string): void => void process.stderr.write(`${text}\n`);
  return { httpPort, httpsPort, ...(await startCaddy({ dir, httpPort, httpsPort, gatewayAddress, log })) };
}

/** Sends a request through the proxy. @param body parts of the body; none for a GET request */
async function open(
  { httpsPort, ca }: Proxy,
  path: string,
  { headers = {}, body }: { headers?: Record<string, string | number>; body?: Iterable<Buffer> } = {},
): Promise<IncomingMessage> {
  const method = body ? 'POST' : 'GET';
  const sending = request({ host: 'localhost', port: httpsPort, path, method, ca, headers, agent: false });
  const answered = once(sending, 'response') as Promise<[IncomingMessage]>;
  for (const part of body ?? []) if (!sending.write(part)) await once(sending, 'drain');
  sending.end();
  return (await answered)[0];
}

async function textOf(response: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of response.setEncoding('utf8')) text += String(chunk);
  return text;
}

describe('gateway behind docker/Caddyfile', () => {
  let gateway: GatewayUnderTest;
  let customer: Customer;
  let proxy: Proxy;

  beforeAll(async () => {
    gateway = await startGateway({
      settings: { REQUIRE_HTTPS: true, TRUSTED_PROXY_HOPS: 1 },
      standing: ['messaging', 'templates'],
    });
    customer = await gateway.customer();
    proxy = await proxyTo(new URL(gateway.url).host, 'caddy-gateway');
  }, 180_000);
  afterAll(async () => {
    await proxy?.stop();
    await gateway?.close();
  });

  const authorization = () => ({ authorization: `Bearer ${customer.apiKey}` });
  const upload = async (fileBytes: number) => {
    const fields = Object.entries({ to: '919812345678', type: 'document' }).map(
      ([name, value]) => `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
    );
    const file = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="a.pdf"\r\nContent-Type: application/pdf\r\n\r\n`;
    const head = Buffer.concat([Buffer.from(fields.join('') + file), FILES.pdf]);
    const tail = Buffer.from(`\r\n--${BOUNDARY}--\r\n`);
    const filler = fileBytes - FILES.pdf.length;
    const parts = [
      head,
      ...Array.from({ length: Math.floor(filler / MIB) }, () => CHUNK),
      CHUNK.subarray(0, filler % MIB),
      tail,
    ];
    const response = await open(proxy, '/v1/messages/send', {
      headers: {
        ...authorization(),
        'content-type': `multipart/form-data; boundary=${BOUNDARY}`,
        'content-length': head.length + filler + tail.length,
      },
      body: parts,
    });
    return { status: response.statusCode, text: await textOf(response) };
  };

  it('serves the API and recognizes requests as HTTPS', async () => {
    const response = await open(proxy, '/v1/me', { headers: authorization() });
    expect([response.statusCode, JSON.parse(await textOf(response))]).toMatchObject([200, { success: true }]);
    const direct = await fetch(`${gateway.url}/v1/me`, { headers: authorization() });
    expect(direct.status).toBe(403);
  });

  it('ignores forged headers about address and protocol', async () => {
    const { apiKey } = await gateway.customer({ allowedIps: ['203.0.113.0/24'] });
    const headers = {
      authorization: `Bearer ${apiKey}`,
      'x-forwarded-for': '203.0.113.9',
      'x-forwarded-proto': 'http',
    };
    const response = await open(proxy, '/v1/me', { headers });
    expect(JSON.parse(await textOf(response))).toMatchObject({ code: 'IP_NOT_ALLOWED' });
  });

  it('redirects HTTP to HTTPS', async () => {
    const response = await fetch(`http://localhost:${proxy.httpPort}/v1/me`, { redirect: 'manual' });
    expect([response.status, response.headers.get('location')]).toEqual([
      308,
      expect.stringMatching(/^https:\/\/localhost(:\d+)?\/v1\/me$/),
    ]);
  });

  it('accepts the largest file and returns 413 beyond', async () => {
    expect(await upload(100 * MIB)).toMatchObject({ status: 200 });
    expect(gateway.fakes.of(sendMessageV1)).toMatchObject([{ upload: { bytes: 100 * MIB } }]);
    const above = await upload(100 * MIB + 1);
    expect([above.status, JSON.parse(above.text)]).toMatchObject([413, { code: 'PAYLOAD_TOO_LARGE' }]);
  }, 60_000);
});

describe('docker/Caddyfile', () => {
  let upstream: Server;
  let proxy: Proxy;
  let port: number;
  let requests: string[];

  beforeEach(async () => {
    requests = [];
    port = await freePort();
    upstream = createServer((incoming, response) => {
      requests.push(`${incoming.method} ${incoming.url}`);
      response.writeHead(200, { 'content-type': 'text/csv' });
      response.write('first\n');
      incoming.resume();
      if (incoming.url !== '/stream') response.end();
    });
    proxy = await proxyTo(`127.0.0.1:${port}`, 'caddy-alone');
  }, 60_000);
  afterEach(async () => {
    await proxy.stop();
    upstream.closeAllConnections();
    upstream.close();
  });

  const listen = () => once(upstream.listen(port, '127.0.0.1'), 'listening');

  it('streams a response part by part', async () => {
    await listen();
    const response = await open(proxy, '/stream');
    const [first] = (await once(response, 'data')) as [Buffer];
    // The response is still incomplete at this point.
    expect(first.toString()).toBe('first\n');
    response.destroy();
  });

  it('sends a request once while the gateway restarts', async () => {
    // The request has no body because of the bug in Debian's Caddy that docker/Caddyfile describes.
    const response = open(proxy, '/v1/me');
    await delay(1_000);
    await listen();
    expect((await response).statusCode).toBe(200);
    expect(requests).toEqual(['GET /v1/me']);
  }, 30_000);
});
