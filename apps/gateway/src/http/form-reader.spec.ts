import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { readForm } from './form-reader';

const HEAD =
  'POST / HTTP/1.1\r\nHost: x\r\nContent-Type: multipart/form-data; boundary=b\r\nContent-Length: 1000\r\n\r\n';

describe('readForm', () => {
  let server: Server;

  beforeAll(async () => {
    server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  afterAll(() => void server.close());

  it('fails immediately if the sender has disconnected', async () => {
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1', () => socket.write(HEAD));
    const [request] = (await once(server, 'request')) as [IncomingMessage];
    request.on('error', () => undefined);
    const gone = new Promise((resolve) => request.once('close', resolve));
    socket.destroy();
    await gone;
    const outcome = readForm(request, { takeFile: async () => undefined, deadlineMs: 3_000 });
    await expect(outcome).rejects.toThrow('it ended before it was complete');
  });
});
