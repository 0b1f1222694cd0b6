import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { fastify as createFastify } from 'fastify';
import { limitAnonymousBodies } from './anonymous-bodies';
import { limitBodyTime } from './body-deadline';
import { SharedBudget } from './shared-budget';

const DEADLINE_MS = 100;
/** Two pipelined requests. The response to the second waits for that to the first, which never completes. */
const REQUESTS =
  'GET /slow HTTP/1.1\r\nHost: x\r\n\r\nPOST /public HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"to":';

it('survives an aborted body behind an unfinished pipelined response', async () => {
  const fastify = createFastify();
  limitAnonymousBodies(fastify, {
    budget: new SharedBudget({ most: 1_000, mostPerOwner: 1_000 }),
    ownerOf: () => 'somebody',
  });
  limitBodyTime(fastify, DEADLINE_MS);
  const refused = new Promise<string>((resolve) =>
    fastify.addHook('onError', async (_request, _reply, error) => resolve(error.message)),
  );
  fastify.get('/slow', () => new Promise(() => undefined));
  fastify.post('/public', { config: { publicBecause: 'of the test' } }, () => 'handled');
  await fastify.listen({ port: 0, host: '127.0.0.1' });
  const accepted = once(fastify.server, 'connection') as Promise<[Socket]>;
  const caller = connect((fastify.server.address() as AddressInfo).port, '127.0.0.1', () => caller.write(REQUESTS));
  const [connection] = await accepted;
  expect(await refused).toBe('the request did not arrive in time');
  const closed = new Promise((resolve) => connection.once('close', resolve));
  caller.resetAndDestroy();
  await closed;
  // An unhandled error would fail the test now.
  await new Promise((resolve) => setImmediate(resolve));
  await fastify.close();
});
