import { setTimeout as delay } from 'node:timers/promises';
import { type Answer, call, type CallOptions } from '../support/api';
import { demo } from '../support/demo';

/** Unassigned number. Nothing that the tests in this directory send to it may leave the service. */
export const NOBODY = '15005559999';

const MOST_WAITS = 3;

/** Calls the API with the key under test. On an external installation, waits when the key's rate limit is reached. */
export async function ask(method: string, path: string, options: CallOptions = {}): Promise<Answer> {
  for (let waits = 0; ; waits += 1) {
    const answer = await call(method, path, options);
    if (answer.body['code'] !== 'RATE_LIMITED' || waits === MOST_WAITS) return answer;
    await delay(Number(answer.headers.get('retry-after')) * 1_000);
  }
}

export const get = (path: string, options?: CallOptions): Promise<Answer> => ask('GET', path, options);
export const post = (path: string, body: object | string, options?: CallOptions): Promise<Answer> =>
  ask('POST', path, { ...options, body });

/** Calls `POST /messages/send` with an unassigned recipient, unless the body names one. */
export const send = (body: object): Promise<Answer> => post('/messages/send', { to: NOBODY, ...body });

export async function sendForm(
  path: string,
  fields: Record<string, string>,
  file?: [name: string, file: File],
): Promise<Answer> {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  if (file) form.append(...file);
  const response = await fetch(`${demo.baseUrl}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${demo.apiKey}` },
    body: form,
  });
  return { status: response.status, headers: response.headers, body: (await response.json()) as Answer['body'] };
}

/** Returns the status and code of a response, to compare them with a rule. */
export function refusalOf({ status, body }: Answer): [status: number, code: unknown] {
  return [status, body['code']];
}
