import { demo } from './installation';

export interface ConsoleAnswer {
  status: number;
  body: Record<string, unknown>;
}

export interface SignedIn {
  /** A request of the page; the path begins after `/console/v1`. */
  call(method: string, path: string, body?: object): Promise<ConsoleAnswer>;
}

/** Signs in as a browser does: it keeps the session's cookie, and its page the CSRF token. */
export async function signIn(email: string, password: string): Promise<SignedIn> {
  const base = demo.baseUrl.replace(/\/v1$/, '/console/v1');
  const request = (method: string, path: string, { body, headers }: { body?: object; headers?: Record<string, string> }): Promise<Response> =>
    fetch(`${base}${path}`, { method, headers: { ...headers, ...(body && { 'content-type': 'application/json' }) }, body: body && JSON.stringify(body) });
  const session = await request('POST', '/session', { body: { email, password } });
  const { csrfToken } = (await session.json()) as { csrfToken?: string };
  if (session.status !== 200 || csrfToken === undefined) throw new Error(`signing in answered ${session.status}`);
  const cookie = session.headers.getSetCookie().map((line) => line.split(';')[0]).join('; ');
  return {
    call: async (method, path, body) => {
      const response = await request(method, path, { body, headers: { cookie, ...(method !== 'GET' && { 'x-csrf-token': csrfToken }) } });
      return { status: response.status, body: (await response.json()) as Record<string, unknown> };
    },
  };
}
