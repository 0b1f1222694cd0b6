import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createMediaClient, type MediaClient, MediaUrlExpiredError } from './media-download';

const open: { client: MediaClient; server: Server }[] = [];

async function start(listener: RequestListener, timeoutMs = 2_000): Promise<{ client: MediaClient; origin: string }> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const client = createMediaClient({ baseUrl: origin, apiVersion: 'v24.0', timeoutMs });
  open.push({ client, server });
  return { client, origin };
}

const answering =
  (status: number, body: object | string): RequestListener =>
  (_request, response) => {
    response
      .writeHead(status, { 'content-type': 'application/json' })
      .end(typeof body === 'string' ? body : JSON.stringify(body));
  };
const call = { mediaId: '10/1', phoneNumberId: '2', accessToken: 'secret-token' };
const failureOf = (work: Promise<unknown>): Promise<Error> =>
  work.then(
    () => Promise.reject(new Error('it did not fail')),
    (error: Error) => error,
  );

afterEach(async () => {
  for (const { client, server } of open.splice(0)) {
    server.closeAllConnections();
    server.close();
    await client.close();
  }
});

describe('readMedia', () => {
  it('requests the object by number and reads sizes in both formats', async () => {
    const seen: string[] = [];
    const { client } = await start((request, response) => {
      seen.push(`${request.url} ${request.headers.authorization}`);
      answering(200, {
        url: 'https://x.example.com/1',
        mime_type: 'image/jpeg',
        sha256: 'abc',
        file_size: seen.length === 1 ? '303833' : 7,
      })(request, response);
    });
    expect(await client.readMedia(call)).toEqual({
      url: 'https://x.example.com/1',
      mimeType: 'image/jpeg',
      sha256: 'abc',
      bytes: 303_833,
    });
    expect((await client.readMedia(call)).bytes).toBe(7);
    expect(seen[0]).toBe('/v24.0/10%2F1?phone_number_id=2 Bearer secret-token');
  });

  it("fails with the platform's error and without the token", async () => {
    const { client } = await start(
      answering(400, { error: { code: 100, error_subcode: 33, message: 'Unsupported get request' } }),
    );
    const error = await failureOf(client.readMedia(call));
    expect(error).toMatchObject({ kind: 'rejected', code: 100, subcode: 33 });
    expect(error.message).not.toContain('secret-token');
  });

  it.each([
    [200, '<html>'],
    [200, { id: '1' }],
    [500, 'oops'],
    [200, 'null'],
  ])('treats the response %s %j like a missing one', async (status, body) => {
    expect(await failureOf((await start(answering(status, body))).client.readMedia(call))).toMatchObject({
      kind: 'unknown-outcome',
      httpStatus: status,
    });
  });
});

/**
 * Returns a listener that writes endlessly, as fast as the reader reads, and the number of bytes written until the
 * connection is closed.
 */
function endless(status: number): { listener: RequestListener; cut: Promise<number> } {
  let listener: RequestListener = () => undefined;
  const cut = new Promise<number>((resolve) => {
    listener = (_request, response) => {
      let bytes = 0;
      const piece = Buffer.alloc(16_384, 'x');
      response.writeHead(status, { 'content-type': 'application/json' });
      const write = (): void => {
        while (!response.destroyed && response.write(piece)) bytes += piece.length;
      };
      response.on('drain', write).on('close', () => resolve(bytes));
      write();
    };
  });
  return { listener: (request, response) => listener(request, response), cut };
}

/** Maximum number of bytes in buffers beyond those that were read. */
const BUFFERED_BYTES = 16 * 1_048_576;

describe('an endless response', () => {
  it('is cut off when an object is expected', async () => {
    const { listener, cut } = endless(200);
    const { client } = await start(listener);
    expect(await failureOf(client.readMedia(call))).toMatchObject({ kind: 'unknown-outcome', httpStatus: 200 });
    expect(await cut).toBeLessThan(BUFFERED_BYTES);
  });

  it('is cut off when media are expected and the call was rejected', async () => {
    const { listener, cut } = endless(404);
    const { client, origin } = await start(listener);
    expect(await failureOf(client.download({ url: `${origin}/x`, accessToken: 't' }))).toEqual(
      new MediaUrlExpiredError(404),
    );
    expect(await cut).toBeLessThan(BUFFERED_BYTES);
  });
});

describe('download', () => {
  it('streams the bytes with the same token', async () => {
    const { client, origin } = await start((request, response) => {
      if (request.headers.authorization !== 'Bearer secret-token') return void response.writeHead(401).end();
      response.writeHead(200, { 'content-type': 'image/jpeg', 'content-length': 3 }).end('abc');
    });
    const { stream, ...facts } = await client.download({ url: `${origin}/bytes`, accessToken: 'secret-token' });
    expect(facts).toEqual({ mimeType: 'image/jpeg', bytes: 3 });
    expect(Buffer.concat(await stream.toArray()).toString()).toBe('abc');
  });

  it.each([401, 403, 404, 410])('reports an expired address for HTTP %s', async (status) => {
    const { client, origin } = await start(answering(status, ''));
    expect(await failureOf(client.download({ url: `${origin}/x`, accessToken: 't' }))).toEqual(
      new MediaUrlExpiredError(status),
    );
  });

  it('does not follow redirects, which would leak the token', async () => {
    const hits: (string | undefined)[] = [];
    const { client, origin } = await start((request, response) => {
      hits.push(request.url);
      response.writeHead(302, { location: '/elsewhere' }).end();
    });
    expect(await failureOf(client.download({ url: `${origin}/x`, accessToken: 't' }))).toMatchObject({
      httpStatus: 302,
    });
    expect(hits).toEqual(['/x']);
  });

  it('fails when the server does not respond', async () => {
    const { client, origin } = await start(() => undefined, 200);
    expect(await failureOf(client.download({ url: `${origin}/x`, accessToken: 't' }))).toMatchObject({
      kind: 'unavailable',
    });
  });

  it('rejects another port of the configured private host', async () => {
    const canary = await start(answering(200, 'secret'));
    const { client } = await start(answering(200, ''));
    expect(await failureOf(client.download({ url: `${canary.origin}/x`, accessToken: 't' }))).toMatchObject({
      name: 'BlockedMediaUrlError',
    });
  });
});
