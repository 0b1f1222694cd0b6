import { once } from 'node:events';
import { Agent, get } from 'node:http';
import { connect } from 'node:net';
import { sendMessageV1 } from '@switchboard/contracts';
import { eventually } from '@switchboard/testing';
import { type GatewayUnderTest, startGateway } from './support/gateway';
import { call } from './support/http';

describe('stopping gateway', () => {
  let gateway: GatewayUnderTest;

  beforeEach(async () => {
    gateway = await startGateway({ standing: ['messaging'] });
  });
  afterEach(() => gateway.close());

  it('completes requests in progress and accepts no new ones', async () => {
    const { apiKey } = await gateway.customer();
    let answer = (): void => undefined;
    gateway.fakes.answer(
      sendMessageV1,
      () => new Promise((resolve) => (answer = () => resolve(sendMessageV1.sample.response))),
    );
    const sent = call(`${gateway.url}/v1/messages/send`, {
      key: apiKey,
      body: { to: '919812345678', type: 'text', text: { body: 'hi' } },
    });
    await eventually(() => expect(gateway.fakes.of(sendMessageV1).length).toBe(1));
    const closed = gateway.app.close();
    await eventually(() => expect(fetch(`${gateway.url}/v1/me`)).rejects.toThrow());
    const answeredAt = performance.now();
    answer();
    expect((await sent).status).toBe(200);
    await closed;
    // The caller's keep-alive connection must not delay the stop.
    expect(performance.now() - answeredAt).toBeLessThan(3_000);
  });

  it('keeps serving open connections with Connection: close', async () => {
    const draining = await startGateway({ settings: { CONNECTION_DRAIN_SECONDS: 30 } });
    const { hostname, port } = new URL(draining.url);
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const ask = (): Promise<{ status?: number; connection?: string }> =>
      new Promise((resolve, reject) => {
        get({ host: hostname, port, path: '/v1/me', agent }, (answer) => {
          answer
            .resume()
            .once('end', () => resolve({ status: answer.statusCode, connection: answer.headers.connection }));
        }).once('error', reject);
      });
    expect(await ask()).toEqual({ status: 401, connection: 'keep-alive' });
    const startedAt = performance.now();
    const closed = draining.close();
    await eventually(async () => expect(await ask()).toEqual({ status: 401, connection: 'close' }));
    await closed;
    // The last connection has been closed, so the rest of the drain time is skipped.
    expect(performance.now() - startedAt).toBeLessThan(10_000);
    await expect(ask()).rejects.toThrow();
    agent.destroy();
  });

  it.each(['', 'POST /v1/messages/send HTTP/1.1\r\nhost: x\r\n'])(
    'does not wait indefinitely for a caller that sent %j',
    async (bytes) => {
      const { hostname, port } = new URL(gateway.url);
      const socket = connect(Number(port), hostname);
      await once(socket, 'connect');
      socket.write(bytes);
      const startedAt = performance.now();
      const cut = once(socket, 'close');
      socket.resume();
      await gateway.app.close();
      await cut;
      expect(performance.now() - startedAt).toBeLessThan(7_000);
    },
  );

  it('does not wait for a rejected CONNECT connection', async () => {
    const { hostname, port } = new URL(gateway.url);
    const socket = connect({ port: Number(port), host: hostname, allowHalfOpen: true });
    socket.on('error', () => undefined).resume();
    socket.write('CONNECT example.com:443 HTTP/1.1\r\nhost: x\r\n\r\n');
    await once(socket, 'end');
    const startedAt = performance.now();
    await gateway.app.close();
    expect(performance.now() - startedAt).toBeLessThan(7_000);
    socket.destroy();
  });
});
