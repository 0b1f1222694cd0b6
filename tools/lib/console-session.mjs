// @ts-check

/** @typedef {{ status: number, body: Record<string, any> }} ConsoleAnswer */
/**
 * @typedef {(method: string, path: string, body?: object) => Promise<ConsoleAnswer>} ConsoleCall the path starts after
 * `/console/v1`
 */

/**
 * Signs in to the dashboard API as a browser does, and keeps the cookie and the CSRF token.
 * @param {string} baseUrl versioned base URL of the API
 * @param {{ email: string, password: string, code?: string }} login `code`: second factor, for a user who has one
 * @returns {Promise<ConsoleCall>} calls the API within the session; a `FormData` body is sent as a form, any other body
 * as JSON
 */
export async function signIn(baseUrl, { email, password, code }) {
  const base = baseUrl.replace(/\/v1$/, '/console/v1');
  const request = (
    /** @type {string} */ method,
    /** @type {string} */ path,
    /** @type {object | undefined} */ body,
    /** @type {Record<string, string>} */ headers = {},
  ) =>
    body === undefined || body instanceof FormData
      ? fetch(`${base}${path}`, { method, headers, body })
      : fetch(`${base}${path}`, {
          method,
          headers: { ...headers, 'content-type': 'application/json' },
          body: JSON.stringify(body),
        });
  const first = await request('POST', '/session', { email, password });
  const session =
    code === undefined
      ? first
      : await request('POST', '/session/second-factor', { code }, { cookie: cookiesOf(first) });
  const { csrfToken } = /** @type {{ csrfToken?: string }} */ (await session.json());
  if (session.status !== 200 || csrfToken === undefined)
    throw new Error(`signing in answered ${session.status}${csrfToken === undefined ? ' without a session' : ''}`);
  const cookie = cookiesOf(session);
  return async (method, path, body) => {
    const response = await request(method, path, body, {
      cookie,
      ...(method !== 'GET' && { 'x-csrf-token': csrfToken }),
    });
    return { status: response.status, body: /** @type {Record<string, any>} */ (await response.json()) };
  };
}

function cookiesOf(/** @type {Response} */ { headers }) {
  return headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ');
}
