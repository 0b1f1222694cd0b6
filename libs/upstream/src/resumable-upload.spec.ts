import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createUpstreamClient } from './client';
import { uploadResumably } from './resumable-upload';

const file = Buffer.alloc(300_000, 'switchboard');
const UNKNOWN = { error: { message: 'Unsupported post request', code: 100, error_subcode: 33 } };

interface Seen {
  route: string;
  authorization?: string;
  offset?: string;
}

/** Fake platform with the three upload calls. `take` may interrupt an upload. */
class Platform {
  readonly seen: Seen[] = [];
  stored = Buffer.alloc(0);
  sessions = 0;
  take: (request: IncomingMessage, response: ServerResponse) => Promise<boolean> = () => Promise.resolve(true);
  offset = (): { status: number; body: object } => ({
    status: 200,
    body: { id: 'upload:one', file_offset: this.stored.length },
  });

  readonly answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { method, url = '', headers } = request;
    this.seen.push({
      route: `${method} ${url}`,
      authorization: headers.authorization,
      offset: headers.file_offset as string | undefined,
    });
    const reply = (status: number, body: object) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    if (url.includes('/app/uploads')) {
      this.sessions += 1;
      this.stored = Buffer.alloc(0);
      return void reply(200, { id: `upload:${this.sessions}?sig=ARZ` });
    }
    if (method === 'GET') {
      const { status, body } = this.offset();
      return void reply(status, body);
    }
    if (!(await this.take(request, response))) return;
    for await (const chunk of request) this.stored = Buffer.concat([this.stored, chunk as Buffer]);
    reply(200, { h: `4::${this.stored.length}` });
  };
}

async function withPlatform(run: (platform: Platform, upload: () => Promise<string>) => Promise<void>): Promise<void> {
  const platform = new Platform();
  const server = createServer((request, response) => void platform.answer(request, response).catch(() => undefined));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const client = createUpstreamClient({
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    apiVersion: 'v24.0',
    timeoutMs: 2_000,
  });
  const upload = () =>
    uploadResumably(client, {
      accessToken: 'secret-token',
      filename: 'menu 1.png',
      mimeType: 'image/png',
      bytes: file.length,
      open: (offset) => Promise.resolve(pieces(file.subarray(offset))),
    });
  try {
    await run(platform, upload);
  } finally {
    server.closeAllConnections();
    server.close();
    await client.close();
  }
}

async function* pieces(bytes: Buffer): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += 10_000) yield bytes.subarray(at, at + 10_000);
}

/** Accepts this many bytes of the first upload, then closes the connection. */
function breakingAfter(platform: Platform, bytes: number): void {
  let isFirst = true;
  platform.take = async (request) => {
    const { socket } = request;
    if (!isFirst) return true;
    isFirst = false;
    for await (const chunk of request) {
      platform.stored = Buffer.concat([platform.stored, chunk as Buffer]);
      if (platform.stored.length >= bytes) break;
    }
    socket.destroy();
    return false;
  };
}

describe('uploadResumably', () => {
  it('opens a session and returns the handle of the uploaded bytes', () =>
    withPlatform(async (platform, upload) => {
      expect(await upload()).toBe('4::300000');
      expect(platform.stored.equals(file)).toBe(true);
      expect(platform.seen).toEqual([
        {
          route: 'POST /v24.0/app/uploads?file_name=menu+1.png&file_length=300000&file_type=image%2Fpng',
          authorization: 'Bearer secret-token',
          offset: undefined,
        },
        { route: 'POST /v24.0/upload:1?sig=ARZ', authorization: 'OAuth secret-token', offset: '0' },
      ]);
    }));

  it("continues at the platform's offset after an interruption", () =>
    withPlatform(async (platform, upload) => {
      breakingAfter(platform, 50_000);
      expect(await upload()).toBe('4::300000');
      expect(platform.stored.equals(file)).toBe(true);
      expect(platform.sessions).toBe(1);
      expect(Number(platform.seen.at(-1)?.offset)).toBeGreaterThanOrEqual(50_000);
    }));

  it('starts over when the session has expired', () =>
    withPlatform(async (platform, upload) => {
      breakingAfter(platform, 50_000);
      platform.offset = () => ({ status: 400, body: UNKNOWN });
      expect(await upload()).toBe('4::300000');
      expect(platform.sessions).toBe(2);
    }));

  it('starts over when the response with the handle was lost', () =>
    withPlatform(async (platform, upload) => {
      breakingAfter(platform, file.length);
      expect(await upload()).toBe('4::300000');
      expect(platform.sessions).toBe(2);
    }));

  it('fails immediately when the platform rejects the file', () =>
    withPlatform(async (platform, upload) => {
      platform.take = (_request, response) => {
        response.writeHead(400).end(JSON.stringify({ error: { code: 100, message: 'not of the declared type' } }));
        return Promise.resolve(false);
      };
      await expect(upload()).rejects.toMatchObject({
        kind: 'rejected',
        code: 100,
        details: 'not of the declared type',
      });
      expect(platform.seen.filter(({ offset }) => offset !== undefined)).toHaveLength(1);
    }));

  it('fails after four attempts', () =>
    withPlatform(async (platform, upload) => {
      platform.take = (request) => {
        request.socket.destroy();
        return Promise.resolve(false);
      };
      await expect(upload()).rejects.toMatchObject({ kind: 'unknown-outcome' });
      expect(platform.seen.filter(({ offset }) => offset !== undefined)).toHaveLength(4);
    }));
});
