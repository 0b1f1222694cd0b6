import { getMessageV1, newId } from '@switchboard/contracts';
import { pino } from 'pino';
import { type Customer, type GatewayUnderTest, startGateway } from './support/gateway';
import { type Answer, call } from './support/http';

const SEND = { to: '919812345678', type: 'text', text: { body: 'Hello' } };

describe('internal error', () => {
  const lines: string[] = [];
  let gateway: GatewayUnderTest;
  let customer: Customer;

  beforeAll(async () => {
    gateway = await startGateway({
      logger: pino({ level: 'error', base: {} }, { write: (line: string) => void lines.push(line) }),
    });
    customer = await gateway.customer();
  });
  afterAll(() => gateway.close());

  /** Expects the fixed message, and a request id under which the log has the cause. */
  function expectInternal({ status, headers, body }: Answer, cause: string): void {
    const requestId = headers.get('x-request-id');
    expect({ status, body }).toEqual({
      status: 500,
      body: { success: false, message: 'internal server error', code: 'INTERNAL', details: [], requestId },
    });
    expect(lines.filter((line) => line.includes(String(requestId)) && line.includes(cause))).toHaveLength(1);
  }

  it('returns 500 INTERNAL with only the request id', async () => {
    const rename = (from: string, to: string) =>
      gateway.database.dataSource.query(`ALTER TABLE ${from} RENAME TO ${to}`);
    await rename('idempotency', 'idempotency_away');
    try {
      const answer = await call(`${gateway.url}/v1/messages/send`, {
        key: customer.apiKey,
        body: SEND,
        headers: { 'idempotency-key': 'fault' },
      });
      expectInternal(answer, 'relation \\"idempotency\\" does not exist');
    } finally {
      await rename('idempotency_away', 'idempotency');
    }
  });

  it('returns the same response for an error in a service', async () => {
    gateway.fakes.answer(getMessageV1, () => {
      throw new TypeError('secret detail');
    });
    expectInternal(
      await call(`${gateway.url}/v1/messages/${newId('msg')}`, { key: customer.apiKey }),
      'internal server error',
    );
    expect(lines.join('')).not.toContain('secret detail');
  });
});
