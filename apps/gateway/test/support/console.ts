import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { Transactions } from '@switchboard/database';
import { TOTP } from 'otpauth';
import type { Role } from '../../src/request-context/roles';
import { User } from '../../src/users/user.entity';
import { type UserRecord, UsersService } from '../../src/users/users.service';
import { type ApiDescription, Described } from './described';
import type { GatewayUnderTest } from './gateway';

export const PASSWORD = 'correct horse battery';

/** Generated description of the console API. */
export const describedConsole = new Described(
  JSON.parse(
    readFileSync(resolve(import.meta.dirname, '../../../../docs/console-openapi.json'), 'utf8'),
  ) as ApiDescription,
);

export interface ConsoleAnswer {
  status: number;
  headers: Headers;
  body: Record<string, unknown>;
}

/** Browser with a session cookie and the CSRF token of its page. */
export class Browser {
  cookie = '';
  csrfToken = '';

  constructor(private readonly url: string) {}

  /** Sends a request and checks the response against the description. */
  async call(
    method: string,
    path: string,
    { body, headers }: { body?: unknown; headers?: Record<string, string> } = {},
  ): Promise<ConsoleAnswer> {
    const response = await fetch(`${this.url}${path}`, {
      method,
      headers: {
        ...(this.cookie && { cookie: this.cookie }),
        ...(this.csrfToken && method !== 'GET' && { 'x-csrf-token': this.csrfToken }),
        ...(body !== undefined && !(body instanceof FormData) && { 'content-type': 'application/json' }),
        ...headers,
      },
      body: body === undefined || body instanceof FormData ? body : JSON.stringify(body),
    });
    const answer = {
      status: response.status,
      headers: response.headers,
      body: await bodyOf(response),
    };
    const problems = describedConsole.problemsOf({ method, path: new URL(this.url + path).pathname, ...answer });
    if (problems.length > 0)
      throw new Error(`the answer is not as described: ${problems.join('; ')}\n${JSON.stringify(answer.body)}`);
    const [cookie] = response.headers.getSetCookie();
    if (cookie !== undefined) this.cookie = cookie.split(';')[0] ?? '';
    if (typeof answer.body.csrfToken === 'string') this.csrfToken = answer.body.csrfToken;
    return answer;
  }

  signIn(email: string, password = PASSWORD, headers: Record<string, string> = {}): Promise<ConsoleAnswer> {
    return this.call('POST', '/console/v1/session', { body: { email, password }, headers });
  }
}

/** Returns the response body. The content of a file is in `text`. */
async function bodyOf(response: Response): Promise<Record<string, unknown>> {
  const isJson = response.headers.get('content-type')?.startsWith('application/json');
  return isJson ? ((await response.json()) as Record<string, unknown>) : { text: await response.text() };
}

/** Returns the authenticator code for the current 30 s time step plus an offset. */
export function codeOf(secret: string, steps = 0): string {
  return new TOTP({ secret }).generate({ timestamp: Date.now() + steps * 30_000 });
}

export function usersOn({ database: { dataSource } }: GatewayUnderTest): UsersService {
  return new UsersService(dataSource.getRepository(User), new Transactions(dataSource));
}

let made = 0;

export function newUser(gateway: GatewayUnderTest, accountId: string, role: Role = 'owner'): Promise<UserRecord> {
  return usersOn(gateway).createUser(
    { accountId, email: `user-${(made += 1)}@example.com`, name: 'Asha', role, password: PASSWORD },
    'test',
  );
}

/** Creates a user of the account and returns a browser in which the user is signed in. */
export async function signedIn(
  gateway: GatewayUnderTest,
  accountId: string,
  role: Role = 'owner',
): Promise<Browser & { user: UserRecord }> {
  const user = await newUser(gateway, accountId, role);
  const browser = Object.assign(new Browser(gateway.url), { user });
  const { status } = await browser.signIn(user.email);
  if (status !== 200) throw new Error(`signing in answered ${status}`);
  return browser;
}

/** Returns the newest entry of the audit log. */
export async function lastAudit({ database: { dataSource } }: GatewayUnderTest): Promise<unknown> {
  const [entry] = await dataSource.query<object[]>(
    'SELECT actor, action, account_id, target, details FROM audit_log ORDER BY id COLLATE "C" DESC LIMIT 1',
  );
  return entry;
}

/** Returns the expected audit log entry of a change by a dashboard user. */
export const auditOf = ({ userId, accountId }: UserRecord, action: string, target: string, details: object = {}) => ({
  actor: `user:${userId}`,
  action,
  account_id: accountId,
  target,
  details,
});
