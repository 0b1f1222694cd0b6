import { once } from 'node:events';
import { connect } from 'node:net';
import { sendMessageV1 } from '@switchboard/contracts';
import { currentTraceId, startTracing } from '@switchboard/platform';
import { eventually } from '@switchboard/testing';
import { type Customer, type GatewayUnderTest, startGateway } from './support/gateway';
import { call } from './support/http';

const TRACE_ID = '0af7651916cd43dd8448eb211c80319c';
const SEND = { to: '919812345678', type: 'text', text: { body: 'hi' } };

describe('trace', () => {
  let gateway: GatewayUnderTest;
  let customer: Customer;
  let stopTracing: () => Promise<void>;
  const seen: (string | undefined)[] = [];

  beforeAll(async () => {
    stopTracing = await startTracing('test');
    gateway = await startGateway({ standing: ['messaging'] });
    customer = await gateway.customer();
    gateway.fakes.answer(sendMessageV1, () => {
      seen.push(currentTraceId());
      return sendMessageV1.sample.response;
    });
  });
  afterAll(async () => {
    await gateway.close();
    await stopTracing();
  });

  const send = (headers: Record<string, string>) =>
    call(`${gateway.url}/v1/messages/send`, { key: customer.apiKey, body: SEND, headers });

  it("continues a caller's trace in the service", async () => {
    await send({ traceparent: `00-${TRACE_ID}-b7ad6b7169203331-01` });
    expect(seen.pop()).toBe(TRACE_ID);
  });

  it('continues when the body arrives after the head', async () => {
    const { apiKey, keyId } = await gateway.customer();
    const body = JSON.stringify(SEND);
    const { hostname, port } = new URL(gateway.url);
    const socket = connect(Number(port), hostname);
    const answered = once(socket, 'data');
    const lines = [
      `authorization: Bearer ${apiKey}`,
      'content-type: application/json',
      `traceparent: 00-${TRACE_ID}-b7ad6b7169203331-01`,
    ];
    socket.write(
      `POST /v1/messages/send HTTP/1.1\r\nhost: x\r\n${lines.join('\r\n')}\r\ncontent-length: ${body.length}\r\n\r\n`,
    );
    // The use of the key is recorded once the head has been admitted; the body follows only then.
    await eventually(async () => {
      const rows = await gateway.database.dataSource.query<unknown[]>(
        'SELECT 1 FROM api_keys WHERE id = $1 AND last_used_at IS NOT NULL',
        [keyId],
      );
      expect(rows.length).toBe(1);
    });
    socket.write(body);
    expect(String(await answered)).toContain('HTTP/1.1 200');
    socket.destroy();
    expect(seen.pop()).toBe(TRACE_ID);
  });

  it("starts at the gateway without a caller's trace", async () => {
    await Promise.all(Array.from({ length: 5 }, () => send({})));
    expect(new Set(seen).size).toBe(5);
    expect(seen.every((id) => id !== undefined && /^[0-9a-f]{32}$/.test(id))).toBe(true);
  });
});
