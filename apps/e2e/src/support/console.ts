import { demo } from './installation';

export interface ConsoleAnswer {
  status: number;
  body: Record<string, unknown>;
}

export interface SignedIn {
  /** Sends a request of the page; the path starts after `/console/v1`. */
  call(method: string, path: string, body?: object): Promise<ConsoleAnswer>;
}

/**
 * Signs in like a browser: keeps the session cookie and the page's CSRF token.
 * @param code of the second factor, for a user who has one
 */
export async function signIn(email: string, password: string, code?: string): Promise<SignedIn> {
  const base = demo.baseUrl.replace(/\/v1$/, '/console/v1');
  const request = (
    method: string,
    path: string,
    { body, headers }: { body?: object; headers?: Record<string, string> },
  ): Promise<Response> =>
    fetch(`${base}${path}`, {
      method,
      headers: { ...headers, ...(body && !(body instanceof FormData) && { 'content-type': 'application/json' }) },
      body: body instanceof FormData ? body : body && JSON.stringify(body),
    });
  const first = await request('POST', '/session', { body: { email, password } });
  const session =
    code === undefined
      ? first
      : await request('POST', '/session/second-factor', { body: { code }, headers: { cookie: cookiesOf(first) } });
  const { csrfToken } = (await session.json()) as { csrfToken?: string };
  if (session.status !== 200 || csrfToken === undefined)
    throw new Error(`signing in answered ${session.status}${csrfToken === undefined ? ' without a session' : ''}`);
  const cookie = cookiesOf(session);
  return {
    call: async (method, path, body) => {
      const response = await request(method, path, {
        body,
        headers: { cookie, ...(method !== 'GET' && { 'x-csrf-token': csrfToken }) },
      });
      return { status: response.status, body: (await response.json()) as Record<string, unknown> };
    },
  };
}

function cookiesOf({ headers }: Response): string {
  return headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ');
}
