import { eventually, recordingLogger } from '@switchboard/testing';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { BrokerConnection } from './broker-connection';

describe('BrokerConnection without a reachable broker', () => {
  let server: Server;
  let attempts = 0;

  beforeAll(async () => {
    server = createServer((socket) => {
      attempts += 1;
      socket.destroy();
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  afterAll(() => server.close());

  it('logs a repeated error once instead of at each attempt', async () => {
    const { logger, lines } = recordingLogger();
    const { port } = server.address() as AddressInfo;
    const connection = new BrokerConnection({
      url: `amqp://guest:guest@127.0.0.1:${port}`,
      name: 'test',
      logger,
      setUp: () => Promise.resolve(),
    });
    const opened = connection.open().catch(() => undefined);
    await eventually(() => expect(attempts).toBeGreaterThanOrEqual(3));
    await connection.close();
    await opened;
    expect(lines.map(({ msg }) => msg)).toEqual(['broker.unreachable']);
  });
});
