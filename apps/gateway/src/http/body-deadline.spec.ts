import { type AddressInfo, connect } from 'node:net';
import { fastify as createFastify, type FastifyInstance } from 'fastify';
import { limitBodyTime } from './body-deadline';

const DEADLINE_MS = 150;

describe('incomplete body', () => {
  let fastify: FastifyInstance;

  beforeAll(async () => {
    fastify = createFastify();
    fastify.addContentTypeParser('multipart/form-data', (_request, _payload, done) => done(null));
    limitBodyTime(fastify, DEADLINE_MS);
    const handler = (): string => 'handled';
    fastify.post('/json', handler);
    fastify.post('/both', { config: { takesForms: true } }, handler);
    await fastify.listen({ port: 0, host: '127.0.0.1' });
  });
  afterAll(async () => {
    fastify.server.closeAllConnections();
    await fastify.close();
  });

  /** Sends an incomplete body. Returns the response and its duration. */
  async function post(path: string, type: string): Promise<{ text: string; ms: number }> {
    const startedAt = performance.now();
    return new Promise((resolve, reject) => {
      const socket = connect((fastify.server.address() as AddressInfo).port, '127.0.0.1');
      socket.write(`POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: ${type}\r\nContent-Length: 100\r\n\r\n{"to":`);
      socket.setTimeout(2_000, () => reject(new Error('no answer')));
      socket.once('data', (text) => {
        resolve({ text: text.toString(), ms: performance.now() - startedAt });
        socket.destroy();
      });
    });
  }

  it.each(['/json', '/both'])('is rejected on %s after the deadline', async (path) => {
    const { text, ms } = await post(path, 'application/json');
    expect(text).toContain('the request did not arrive in time');
    expect(ms).toBeGreaterThanOrEqual(DEADLINE_MS - 5);
  });

  it('is exempt from the deadline if it is a form', async () => {
    expect((await post('/both', 'multipart/form-data; boundary=b')).text).toContain('handled');
  });
});
