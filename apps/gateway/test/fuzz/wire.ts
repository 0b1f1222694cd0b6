import { connect } from 'node:net';
import fc from 'fast-check';
import { refusalProblems } from './oracle';
import type { FuzzRequest } from './requests';

const WAIT_MS = 1_900;

/** Generates raw requests with missing, added or changed bytes. */
export function brokenWire(requests: fc.Arbitrary<FuzzRequest>, { apiKey }: { apiKey: string }): fc.Arbitrary<Buffer> {
  const change = fc.record({
    at: fc.nat(),
    how: fc.constantFrom('cut', 'flip', 'insert', 'drop'),
    bytes: fc.uint8Array({ minLength: 1, maxLength: 8 }),
  });
  return fc
    .tuple(
      requests.filter(({ body = Buffer.alloc(0) }) => body.length < 5_000),
      fc.array(change, { minLength: 1, maxLength: 3 }),
    )
    .map(([request, changes]) =>
      changes.reduce(
        (bytes, { at, how, bytes: more }) =>
          changed(bytes, { at: at % Math.max(1, bytes.length), how, more: Buffer.from(more) }),
        bytesOf(request, apiKey),
      ),
    );
}

function bytesOf({ method, path, headers, body = Buffer.alloc(0) }: FuzzRequest, apiKey: string): Buffer {
  const all = {
    host: 'x',
    authorization: `Bearer ${apiKey}`,
    ...headers,
    'content-length': String(body.length),
    connection: 'close',
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`);
  return Buffer.concat([Buffer.from(`${method} ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`), body]);
}

function changed(bytes: Buffer, { at, how, more }: { at: number; how: string; more: Buffer }): Buffer {
  if (how === 'cut') return bytes.subarray(0, at);
  if (how === 'insert') return Buffer.concat([bytes.subarray(0, at), more, bytes.subarray(at)]);
  if (how === 'drop') return Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + more.length)]);
  return Buffer.concat([bytes.subarray(0, at), more, bytes.subarray(at + more.length)]);
}

/**
 * Sends the bytes and returns the problems with the response. No response is correct if the bytes are not a complete
 * request.
 */
export async function wireProblems(url: string, bytes: Buffer): Promise<{ status: number; problems: string[] }> {
  const received = await exchange(url, bytes);
  const [head = '', body = ''] = received.split(/\r\n\r\n(.*)/s);
  const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(head)?.[1] ?? 0);
  if (status === 0) return { status, problems: received === '' ? [] : ['what came back is no HTTP'] };
  if (status >= 500) return { status, problems: [`status ${status}`] };
  if (status < 400) return { status, problems: [] };
  const requestId = /^x-request-id: (.*)$/im.exec(head)?.[1]?.trim();
  try {
    // A response to HEAD has no body. Bytes after the first response are ignored.
    return {
      status,
      problems:
        body === ''
          ? []
          : refusalProblems(
              { status, requestId, isReplay: false },
              JSON.parse(body.split('HTTP/1.1 ', 1)[0] ?? '') as Record<string, unknown>,
            ),
    };
  } catch {
    return { status, problems: [`the body is no JSON: ${body.slice(0, 80)}`] };
  }
}

/** Writes the bytes and half-closes. Returns everything received until the server closes or the timeout expires. */
function exchange(url: string, bytes: Buffer): Promise<string> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    let received = '';
    const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true }, () => socket.end(bytes));
    const done = (): void => {
      socket.destroy();
      resolve(received);
    };
    socket.setTimeout(WAIT_MS, done);
    socket.on('data', (chunk) => (received += chunk.toString()));
    socket.on('end', done).on('error', done);
  });
}
