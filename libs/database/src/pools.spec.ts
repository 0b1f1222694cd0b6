import { type AddressInfo, createServer, type Server } from 'node:net';
import { dataSourceOptions } from './database.module';
import { PooledDataSource } from './pools';

function message(letter: string, body: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeInt32BE(body.length + 4);
  return Buffer.concat([Buffer.from(letter), length, body]);
}

const LOGGED_IN = message('R', Buffer.alloc(4));
const READY = message('Z', Buffer.from('I'));
const STOPPING = message('E', Buffer.from('SFATAL\0C57P01\0Mterminating connection due to administrator command\0\0'));

describe('a pool whose server stops during a login', () => {
  let server: Server;

  beforeAll(async () => {
    server = createServer((socket) => {
      socket.on('error', () => undefined);
      socket.once('data', () => socket.end(Buffer.concat([LOGGED_IN, READY, STOPPING])));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  afterAll(() => new Promise((resolve) => server.close(resolve)));

  it('returns a failing connection without crashing the process', async () => {
    const url = `postgres://nobody@127.0.0.1:${(server.address() as AddressInfo).port}/none`;
    const connection = { schema: 'none', url, sizes: { requests: 1, background: 1 } };
    const pools = new PooledDataSource(dataSourceOptions({ schema: 'none', url }), connection);
    const client = await pools.poolFor('background').connect();
    await expect(client.query('SELECT 1')).rejects.toThrow();
    client.release(true);
  });
});
