import { connect } from 'node:net';
import { described } from './checked-in';

export interface Answer {
  status: number;
  headers: Headers;
  body: Record<string, unknown>;
}

export interface CallOptions {
  method?: string;
  key?: string;
  headers?: Record<string, string>;
  /** Request body, sent as JSON; strings and bytes are sent unchanged. */
  body?: unknown;
}

/** Sends a request, and validates the JSON response against the API description. */
export async function call(
  url: string,
  { method: wanted, key, headers = {}, body }: CallOptions = {},
): Promise<Answer> {
  const method = wanted ?? (body === undefined ? 'GET' : 'POST');
  const response = await fetch(url, {
    method,
    headers: {
      ...(key !== undefined && { authorization: `Bearer ${key}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    body:
      typeof body === 'string' || body instanceof Uint8Array || body === undefined
        ? (body as string | undefined)
        : JSON.stringify(body),
  });
  const text = await response.text();
  const answer = {
    status: response.status,
    headers: response.headers,
    body: (text === '' ? {} : JSON.parse(text)) as Record<string, unknown>,
  };
  const problems = described.problemsOf({ method, path: new URL(url).pathname, ...answer });
  if (problems.length > 0) throw new Error(`the answer is not as described: ${problems.join('; ')}\n${text}`);
  return answer;
}

/**
 * Writes bytes to the server and reads the response until the connection closes.
 * @param options.closeAfterMs time in milliseconds after which the client closes the connection
 */
export function exchangeBytes(
  url: string,
  bytes: string,
  { closeAfterMs }: { closeAfterMs?: number } = {},
): Promise<string> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => socket.write(bytes, 'latin1'));
    if (closeAfterMs !== undefined) setTimeout(() => socket.destroy(), closeAfterMs).unref();
    let received = '';
    socket.setEncoding('utf8').on('data', (chunk: string) => (received += chunk));
    socket.on('close', () => resolve(received)).on('error', reject);
  });
}

/** Writes packets on one connection, each after the response to the previous one. Returns the responses. */
export function exchangeInTurn(url: string, packets: string[]): Promise<string[]> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const answers: string[] = [];
    const next = (): void => void socket.write(packets[answers.length] ?? '');
    const socket = connect(Number(port), hostname, next);
    socket.setEncoding('utf8').on('data', (chunk: string) => {
      answers.push(chunk);
      if (answers.length === packets.length) resolve(answers);
      else next();
    });
    socket.on('close', () => resolve(answers)).on('error', reject);
  });
}

/** Writes bytes to the server and resets the connection after `ms` milliseconds, without reading a response. */
export function resetAfter(url: string, bytes: string, ms: number): Promise<void> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname, () =>
      socket.write(bytes, 'latin1', () => setTimeout(() => socket.resetAndDestroy(), ms)),
    );
    socket.on('error', () => undefined).on('close', () => resolve());
  });
}

export function parseAnswer(text: string): Answer {
  const [head = '', body = ''] = text.split(/\r\n\r\n(.*)/s);
  const [statusLine = '', ...lines] = head.split('\r\n');
  const headers = new Headers(lines.map((line) => line.split(/: (.*)/s).slice(0, 2) as [string, string]));
  return {
    status: Number(statusLine.split(' ')[1]),
    headers,
    body: (body === '' ? {} : JSON.parse(body)) as Record<string, unknown>,
  };
}
