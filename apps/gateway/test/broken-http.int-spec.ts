import { expectOurShape } from './support/error-shape';
import { type GatewayUnderTest, startGateway } from './support/gateway';
import { exchangeBytes, exchangeInTurn, parseAnswer, resetAfter } from './support/http';

const SEND = '/v1/messages/send';

describe('invalid HTTP', () => {
  let gateway: GatewayUnderTest;
  let customer: { apiKey: string };

  beforeAll(async () => {
    gateway = await startGateway();
    customer = await gateway.customer();
  });
  afterAll(() => gateway.close());

  it.each([
    ['no HTTP request', 'hello\r\n\r\n', 400, 'INVALID_PARAMETER'],
    [
      'headers of 40 KB',
      `GET /v1/me HTTP/1.1\r\nHost: x\r\nX-Long: ${'x'.repeat(40_000)}\r\n\r\n`,
      400,
      'INVALID_PARAMETER',
    ],
    ['an unknown method', 'FETCH /v1/me HTTP/1.1\r\nHost: x\r\n\r\n', 400, 'INVALID_PARAMETER'],
    [
      'two Content-Length headers',
      'POST /v1/me HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab',
      400,
      'INVALID_PARAMETER',
    ],
    [
      'Content-Length and chunked encoding',
      'POST /v1/me HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
      400,
      'INVALID_PARAMETER',
    ],
    [
      'a non-numeric Content-Length',
      'POST /v1/me HTTP/1.1\r\nHost: x\r\nContent-Length: x\r\n\r\n',
      400,
      'INVALID_PARAMETER',
    ],
    ['a CONNECT request', 'CONNECT example.com:443 HTTP/1.1\r\nHost: x\r\n\r\n', 405, 'METHOD_NOT_ALLOWED'],
    ['an asterisk as its target', 'OPTIONS * HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n', 404, 'NOT_FOUND'],
    ['no Host header', 'GET /v1/me HTTP/1.1\r\nConnection: close\r\n\r\n', 401, 'UNAUTHORIZED'],
    [
      'an unknown Expect header',
      'GET /v1/me HTTP/1.1\r\nHost: x\r\nExpect: wonders\r\nConnection: close\r\n\r\n',
      401,
      'UNAUTHORIZED',
    ],
  ])('rejects bytes with %s', async (_what, bytes, status, code) => {
    const answer = parseAnswer(await exchangeBytes(gateway.url, bytes));
    expect([answer.status, answer.body.code]).toEqual([status, code]);
    expectOurShape(answer);
  });

  it('gets a response with the standard reason phrase', async () => {
    const statusLine = async (bytes: string) => (await exchangeBytes(gateway.url, bytes)).split('\r\n')[0];
    expect(await statusLine('hello\r\n\r\n')).toBe('HTTP/1.1 400 Bad Request');
    expect(await statusLine('CONNECT example.com:443 HTTP/1.1\r\nHost: x\r\n\r\n')).toBe(
      'HTTP/1.1 405 Method Not Allowed',
    );
  });

  it.each([
    ['nothing', ''],
    ['a valid request', 'GET /nothing HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['two valid requests', 'GET /nothing HTTP/1.1\r\nHost: x\r\n\r\nGET /nothing HTTP/1.1\r\nHost: x\r\n\r\n'],
  ])('rejects invalid bytes that follow %s in the same packet', async (_what, before) => {
    const answers = (await exchangeBytes(gateway.url, `${before}hello\r\n\r\n`))
      .split(/(?=HTTP\/1\.1 )/)
      .map(parseAnswer);
    expect(answers.slice(0, -1).map(({ status }) => status)).toEqual(
      before === ''
        ? []
        : before
            .trim()
            .split('\r\n\r\n')
            .map(() => 404),
    );
    expect([answers.at(-1)?.status, answers.at(-1)?.body.code]).toEqual([400, 'INVALID_PARAMETER']);
    answers.forEach(expectOurShape);
  });

  it('rejects an invalid request on a used connection', async () => {
    const good = 'GET /nothing HTTP/1.1\r\nHost: x\r\n\r\n';
    const received = await exchangeInTurn(gateway.url, [good, good, 'hello\r\n\r\n']);
    const answers = received.map(parseAnswer);
    expect(answers.map(({ status, body }) => [status, body.code])).toEqual([
      [404, 'NOT_FOUND'],
      [404, 'NOT_FOUND'],
      [400, 'INVALID_PARAMETER'],
    ]);
    answers.forEach(expectOurShape);
  });

  it('rejects a body with invalid chunks', async () => {
    const bytes = `POST ${SEND} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${customer.apiKey}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{"to"\r\nnonsense\r\n`;
    const [answer, ...more] = (await exchangeBytes(gateway.url, bytes)).split(/(?=HTTP\/1\.1 )/).map(parseAnswer);
    if (!answer) throw new Error('there was no answer');
    expect([answer.status, answer.body.code, more.length]).toEqual([400, 'INVALID_PARAMETER', 0]);
    expectOurShape(answer);
  });

  it.each([
    ['a CONNECT request', 'CONNECT example.com:443 HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['an upgrade request', 'GET /v1/me HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n'],
    ['a public page with a body', 'GET /health HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\nab'],
    [
      'a sign-in',
      'POST /console/v1/session HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 10\r\n\r\n{',
    ],
    [
      'a sign-in with an unknown content type',
      'POST /console/v1/session HTTP/1.1\r\nHost: x\r\nContent-Type: x/y\r\nContent-Length: 10\r\n\r\n{',
    ],
    [
      'a form',
      'POST /v1/messages/send HTTP/1.1\r\nHost: x\r\nContent-Type: multipart/form-data; boundary=x\r\nContent-Length: 10\r\n\r\n--x',
    ],
    ['an invalid request', 'hello\r\n\r\n'],
  ])('survives a connection reset during %s', async (_what, bytes) => {
    for (let afterMs = 0; afterMs < 10; afterMs += 1) await resetAfter(gateway.url, bytes, afterMs);
    expect(
      parseAnswer(await exchangeBytes(gateway.url, 'GET /nothing HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'))
        .status,
    ).toBe(404);
  });
});
