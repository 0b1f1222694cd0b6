import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { Agent, request } from 'node:https';
import { connect, type TLSSocket } from 'node:tls';
import { text } from 'node:stream/consumers';
import { createLogger } from '@switchboard/platform';
import { eventually } from '@switchboard/testing';
import { type Certificate, newCertificate, SecretVolume } from './support/certificates';
import { type Customer, type GatewayUnderTest, startGateway } from './support/gateway';
import { exchangeBytes } from './support/http';

describe('a gateway with a certificate', () => {
  let gateway: GatewayUnderTest;
  let customer: Customer;
  let volume: SecretVolume;
  let certificates: Certificate[];
  const lines: string[] = [];

  beforeAll(async () => {
    certificates = await Promise.all(Array.from({ length: 3 }, newCertificate));
    volume = await SecretVolume.create(certificates[0] as Certificate);
    const logger = createLogger('gateway', 'silent');
    const note = (_fields: object, message: string): number => lines.push(message);
    logger.warn = note as unknown as typeof logger.warn;
    logger.info = note as unknown as typeof logger.info;
    const settings = {
      TLS_CERT_FILE: volume.certFile,
      TLS_KEY_FILE: volume.keyFile,
      TLS_RELOAD_SECONDS: 0.05,
      REQUIRE_HTTPS: true,
    };
    gateway = await startGateway({ settings, logger });
    customer = await gateway.customer();
  });
  afterAll(async () => {
    await gateway.close();
    await volume.remove();
  });

  const port = (): number => Number(new URL(gateway.url).port);
  const agentWith = (...trusted: Certificate[]): Agent =>
    new Agent({ keepAlive: true, maxSockets: 1, ca: trusted.map(({ cert }) => cert), servername: 'localhost' });

  async function get(
    path: string,
    agent: Agent,
    headers: Record<string, string> = {},
  ): Promise<{ answer: IncomingMessage; body: Record<string, unknown>; socket: TLSSocket }> {
    const sending = request({
      host: '127.0.0.1',
      port: port(),
      path,
      agent,
      headers: { authorization: `Bearer ${customer.apiKey}`, ...headers },
    }).end();
    const [answer] = (await once(sending, 'response')) as [IncomingMessage];
    // An answer that was read has let go of its connection.
    const socket = answer.socket as TLSSocket;
    return { answer, body: JSON.parse(await text(answer)) as Record<string, unknown>, socket };
  }

  const serialServed = async (): Promise<string> => {
    const socket = connect({
      host: '127.0.0.1',
      port: port(),
      servername: 'localhost',
      ca: certificates.map(({ cert }) => cert),
    });
    await once(socket, 'secureConnect');
    const { serialNumber } = socket.getPeerCertificate();
    socket.destroy();
    return serialNumber;
  };

  it('serves HTTPS, says so for a year, and counts as HTTPS whatever a header claims', async () => {
    const { answer, socket } = await get('/v1/me', agentWith(certificates[0] as Certificate), {
      'x-forwarded-proto': 'http',
    });
    expect(answer.statusCode).toBe(200);
    expect(answer.headers['strict-transport-security']).toBe('max-age=31536000');
    expect(socket.getProtocol()).toBe('TLSv1.3');
  });

  it('refuses the old protocols', async () => {
    const socket = connect({
      host: '127.0.0.1',
      port: port(),
      rejectUnauthorized: false,
      minVersion: 'TLSv1',
      maxVersion: 'TLSv1.1',
      ciphers: 'DEFAULT@SECLEVEL=0',
    });
    await expect(once(socket, 'secureConnect')).rejects.toThrow();
  });

  it('closes plain HTTP without an answer worth having, and goes on', async () => {
    expect(await exchangeBytes(gateway.url, 'GET /v1/me HTTP/1.1\r\nHost: x\r\n\r\n')).not.toContain('200');
    expect((await get('/v1/me', agentWith(certificates[0] as Certificate))).answer.statusCode).toBe(200);
  });

  it('serves a renewed certificate to new connections and drops none that is open', async () => {
    const agent = agentWith(certificates[0] as Certificate);
    const { socket: before } = await get('/v1/me', agent);
    const oldSerial = await serialServed();
    await volume.renew(certificates[1] as Certificate);
    await eventually(async () => expect(await serialServed()).not.toBe(oldSerial));
    const { answer, socket: after } = await get('/v1/me', agent);
    expect(answer.statusCode).toBe(200);
    expect(after).toBe(before);
    agent.destroy();
  });

  it('keeps what it serves when the new files are broken or do not go together, and takes them when they do', async () => {
    const serial = await serialServed();
    const third = certificates[2] as Certificate;
    for (const broken of [
      { cert: 'not a certificate', key: third.key },
      { cert: third.cert, key: (certificates[1] as Certificate).key },
    ]) {
      lines.length = 0;
      await volume.renew(broken);
      await eventually(() => expect(lines).toContain('tls.renewal.failed'));
      expect(await serialServed()).toBe(serial);
      await volume.renew(certificates[1] as Certificate);
      await eventually(() => expect(lines).toContain('tls.renewal.recovered'));
    }
    await volume.renew(third);
    await eventually(async () => expect(await serialServed()).not.toBe(serial));
  });

  it('does not start with files that do not go together', async () => {
    const bad = await SecretVolume.create({
      cert: (certificates[0] as Certificate).cert,
      key: (certificates[1] as Certificate).key,
    });
    await expect(
      startGateway({ settings: { TLS_CERT_FILE: bad.certFile, TLS_KEY_FILE: bad.keyFile }, beside: gateway }),
    ).rejects.toThrow(/key values mismatch/);
    await bad.remove();
  });
});

describe('a gateway behind a proxy', () => {
  let gateway: GatewayUnderTest;
  let customer: Customer;

  beforeAll(async () => {
    gateway = await startGateway({ settings: { REQUIRE_HTTPS: true, TRUSTED_PROXY_HOPS: 1 } });
    customer = await gateway.customer();
  });
  afterAll(() => gateway.close());

  it.each([
    ['https', 200],
    ['HTTPS', 200],
    ['http', 403],
    ['https, http', 403],
    [undefined, 403],
  ])('that forwards from %s answers %i', async (proto, status) => {
    const headers = { authorization: `Bearer ${customer.apiKey}`, ...(proto && { 'x-forwarded-proto': proto }) };
    const answer = await fetch(`${gateway.url}/v1/me`, { headers });
    expect(answer.status).toBe(status);
    expect(answer.headers.get('strict-transport-security')).toBe('max-age=31536000');
    if (status === 403) expect(await answer.json()).toMatchObject({ code: 'HTTPS_REQUIRED' });
  });
});
