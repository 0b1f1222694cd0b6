import { connect, type Socket } from 'node:net';
import { eventually } from '@switchboard/testing';
import { type GatewayUnderTest, startGateway } from './support/gateway';
import { call, exchangeBytes, parseAnswer } from './support/http';

const MIB = 1_048_576;
const SIGNATURE = `sha256=${'0'.repeat(64)}`;

/** Sends a request whose body has the given size but never ends. */
function hold(url: string, bytes: number): { socket: Socket; received: () => string } {
  const { hostname, port } = new URL(url);
  let received = '';
  const socket = connect(Number(port), hostname, () => {
    socket.write(
      `POST /callbacks/upstream HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\nx-hub-signature-256: ${SIGNATURE}\r\ncontent-length: ${bytes + 1}\r\n\r\n`,
    );
    socket.write(Buffer.alloc(bytes, 'x'));
  });
  socket.setEncoding('utf8').on('data', (text: string) => (received += text));
  socket.on('error', () => undefined);
  return { socket, received: () => received };
}

describe('unauthenticated caller', () => {
  let gateway: GatewayUnderTest;
  const sockets: Socket[] = [];

  beforeAll(async () => {
    gateway = await startGateway({
      standing: ['messaging'],
      settings: { ANONYMOUS_BODY_MB: 8, ANONYMOUS_CONNECTIONS: 100 },
    });
  });
  afterEach(() => sockets.splice(0).forEach((socket) => socket.destroy()));
  afterAll(() => gateway.close());

  const held = (bytes: number) => {
    const one = hold(gateway.url, bytes);
    sockets.push(one.socket);
    return one;
  };

  it('receives 503 when its body is evicted, oldest first', async () => {
    const bodies = [held(2 * MIB)];
    const answered = () =>
      bodies.filter(({ received }) => received() !== '').map(({ received }) => parseAnswer(received()));
    for (let more = 5; more > 0; more -= 1) bodies.push(held(2 * MIB));
    await eventually(() => expect(answered().length).toBeGreaterThanOrEqual(4));
    for (const { status, headers, body } of answered())
      expect([status, headers.get('retry-after'), body.code]).toEqual([503, '1', 'UNAVAILABLE']);
    expect(answered().length).toBeLessThan(bodies.length);
  });

  it('receives 404 for an unknown route before its body', async () => {
    const head = (path: string) =>
      `POST ${path} HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 1000000\r\n\r\n{`;
    expect(parseAnswer(await exchangeBytes(gateway.url, head('/nothing'), { closeAfterMs: 3_000 }))).toMatchObject({
      status: 404,
      body: { code: 'NOT_FOUND' },
    });
    expect(
      parseAnswer(await exchangeBytes(gateway.url, head('/callbacks/upstream'), { closeAfterMs: 3_000 })),
    ).toMatchObject({ status: 401 });
  });

  it('receives 413 for an oversized sign-in, counted as an attempt', async () => {
    const { status, body } = await call(`${gateway.url}/console/v1/session`, {
      body: { email: 'a@example.com', password: 'x'.repeat(8_192) },
    });
    expect([status, body.message]).toEqual([413, 'the body is too large: at most 8 KB']);
    const [{ attempts } = { attempts: 0 }] = await gateway.database.dataSource.query<{ attempts: number }[]>(
      'SELECT sum(attempts)::int AS attempts FROM sign_in_attempts',
    );
    expect(attempts).toBe(1);
  });

  it('loses only its oldest unauthenticated connections', async () => {
    const { apiKey } = await gateway.customer();
    const { hostname, port } = new URL(gateway.url);
    const known = connect(Number(port), hostname, () =>
      known.write(`GET /v1/me HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${apiKey}\r\n\r\n`),
    );
    sockets.push(known);
    let answer = '';
    known.setEncoding('utf8').on('data', (text: string) => (answer += text));
    await eventually(() => expect(answer).toContain('200 OK'));
    const closed: number[] = [];
    for (let index = 0; index < 60; index += 1) {
      const socket = connect(Number(port), hostname)
        .on('error', () => undefined)
        .on('close', () => closed.push(index));
      socket.resume();
      sockets.push(socket);
    }
    await eventually(() => expect(closed.length).toBeGreaterThanOrEqual(10));
    expect(Math.max(...closed)).toBeLessThan(50);
    expect(known.destroyed).toBe(false);
  });
});

it('accepts more than 2,000 headers', async () => {
  const gateway = await startGateway({ standing: ['messaging'] });
  const { apiKey } = await gateway.customer();
  const headers = `${'a:b\r\n'.repeat(2_100)}authorization: Bearer ${apiKey}\r\n`;
  const answer = await exchangeBytes(
    gateway.url,
    `GET /v1/me HTTP/1.1\r\nhost: x\r\n${headers}connection: close\r\n\r\n`,
    { closeAfterMs: 3_000 },
  );
  await gateway.close();
  expect(answer).toContain('200 OK');
  expect(answer.toLowerCase()).toContain('cache-control: no-store');
});
