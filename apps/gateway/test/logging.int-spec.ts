import { AppError, sendMessageV1 } from '@switchboard/contracts';
import { eventually } from '@switchboard/testing';
import { pino } from 'pino';
import { type Customer, type GatewayUnderTest, startGateway } from './support/gateway';
import { call } from './support/http';

const PHONE = '919812345678';
const TEXT = 'a very private text';

describe('request log', () => {
  const lines: Record<string, unknown>[] = [];
  const logger = pino(
    { level: 'debug', base: {} },
    { write: (line: string) => void lines.push(JSON.parse(line) as Record<string, unknown>) },
  );
  let gateway: GatewayUnderTest;
  let customer: Customer;

  beforeAll(async () => {
    gateway = await startGateway({ standing: ['messaging'], logger });
    customer = await gateway.customer();
  });
  beforeEach(() => (lines.length = 0));
  afterAll(() => gateway.close());

  const handled = () =>
    eventually(() => {
      const line = lines.find(({ msg }) => msg === 'request.handled');
      expect(line).toBeDefined();
      return line as Record<string, unknown>;
    });
  const send = () =>
    call(`${gateway.url}/v1/messages/send?note=${TEXT}`, {
      key: customer.apiKey,
      body: { to: PHONE, type: 'text', text: { body: TEXT } },
    });

  it('has one line with caller, action, duration and outcome', async () => {
    const { headers } = await send();
    expect(await handled()).toEqual({
      level: 30,
      time: expect.any(Number) as number,
      msg: 'request.handled',
      requestId: headers.get('x-request-id'),
      method: 'POST',
      route: '/v1/messages/send',
      status: 200,
      durationMs: expect.any(Number) as number,
      accountId: customer.accountId,
      keyId: customer.keyId,
      messageId: expect.stringMatching(/^msg_/) as string,
    });
  });

  it('contains the error code, and the cause of an internal error', async () => {
    gateway.fakes.answer(sendMessageV1, () => {
      throw new AppError('UPSTREAM_ERROR');
    });
    await send();
    expect(await handled()).toMatchObject({ status: 502, code: 'UPSTREAM_ERROR' });
    expect(lines.map(({ msg }) => msg)).toContain('request.failed');
  });

  it('contains no API key, phone number or text', async () => {
    await send();
    await call(`${gateway.url}/v1/messages?phone=${PHONE}`, { key: customer.apiKey });
    await eventually(() => expect(lines.filter(({ msg }) => msg === 'request.handled').length).toBe(2));
    const log = JSON.stringify(lines);
    for (const secret of [customer.apiKey, PHONE, TEXT, 'private']) expect(log).not.toContain(secret);
  });
});
