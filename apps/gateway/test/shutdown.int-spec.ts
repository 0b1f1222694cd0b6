import { once } from 'node:events';
import { connect } from 'node:net';
import { sendMessageV1 } from '@switchboard/contracts';
import { eventually } from '@switchboard/testing';
import { type GatewayUnderTest, startGateway } from './support/gateway';
import { call } from './support/http';

describe('a gateway that is told to stop', () => {
  let gateway: GatewayUnderTest;

  beforeEach(async () => {
    gateway = await startGateway({ standing: ['messaging'] });
  });
  afterEach(() => gateway.close());

  it('answers what it has begun, then takes nothing more', async () => {
    const { apiKey } = await gateway.customer();
    let answer = (): void => undefined;
    gateway.standIns.answer(
      sendMessageV1,
      () => new Promise((resolve) => (answer = () => resolve(sendMessageV1.sample.response))),
    );
    const sent = call(`${gateway.url}/v1/messages/send`, {
      key: apiKey,
      body: { to: '919812345678', type: 'text', text: { body: 'hi' } },
    });
    await eventually(() => expect(gateway.standIns.of(sendMessageV1)).toHaveLength(1));
    const closed = gateway.app.close();
    await eventually(() => expect(fetch(`${gateway.url}/v1/me`)).rejects.toThrow());
    const answeredAt = performance.now();
    answer();
    expect((await sent).status).toBe(200);
    await closed;
    // The caller's connection is kept alive: it must not hold up the stop.
    expect(performance.now() - answeredAt).toBeLessThan(3_000);
  });

  it.each(['', 'POST /v1/messages/send HTTP/1.1\r\nhost: x\r\n'])(
    'does not wait for ever for a caller that has sent %j',
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

  it('does not wait for a caller that was refused a tunnel and keeps its side of the connection open', async () => {
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
