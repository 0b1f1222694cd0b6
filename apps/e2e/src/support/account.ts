import { randomInt } from 'node:crypto';
import { eventually } from '@switchboard/testing';
import { clientOf, get } from './api';
import { demo, done, upstreamToken } from './installation';
import { control, freshPhone } from './simulator';

/** The simulator's default business account for numbers. */
export const WABA_ID = '100000000000001';

/** Account for a single test file, so that test files do not affect each other. */
export interface TestAccount {
  accountId: string;
  apiKey: string;
  api: ReturnType<typeof clientOf>;
  /** First business number. */
  phoneNumber: string;
  /** Upstream id of the first business number. */
  phoneNumberId: string;
}

/**
 * Creates an account with its own key and business number.
 * Waits until its templates are read, so that a test can send one right away.
 * @param options.wabaId the number's business account upstream. A test that changes templates uses its own
 * (`newBusiness`): after each change, the service reads the templates of a business for all its accounts.
 */
export async function newAccount(
  name: string,
  { plan = 'scale', wabaId }: { plan?: string; wabaId?: string } = {},
): Promise<TestAccount> {
  const { accountId } = await newBareAccount(name, plan);
  const [key, number] = await Promise.all([
    done('keys', 'create', '--account', accountId, '--name', 'test'),
    addNumber(accountId, wabaId),
  ]);
  const apiKey = String(key['apiKey']);
  const api = clientOf(apiKey);
  await eventually(async () => expect((await api.listTemplates({ name: 'hello_world' })).templates).toHaveLength(1));
  return { accountId, apiKey, api, ...number };
}

/**
 * Creates an account for dashboard users only, without key or number. All numbers belong to one business: whenever the
 * platform reports one of its templates, the service reads the templates for each of its accounts.
 */
export async function newBareAccount(name: string, plan = 'scale'): Promise<Pick<TestAccount, 'accountId'>> {
  return { accountId: String((await done('accounts', 'create', '--name', name, '--plan', plan))['accountId']) };
}

/**
 * Gives an account a rate limit that does not refill during a test.
 * @returns the number of remaining requests
 */
export async function withSlowRateLimit({ accountId, apiKey }: TestAccount): Promise<number> {
  const limit = ['--rate-limit', '100', '--rate-window', '86400', '--rate-burst', '100'];
  await done('accounts', 'override', '--account', accountId, ...limit);
  return eventually(async () => {
    const { headers } = await get('/me', { apiKey });
    expect(headers.get('x-ratelimit-limit')).toBe('100');
    return Number(headers.get('x-ratelimit-remaining'));
  });
}

let users = 0;

/** Creates a user of an account, who can sign in to the dashboard. */
export async function newUser(
  accountId: string,
  role: 'viewer' | 'agent' | 'admin' | 'owner' = 'owner',
  name = 'Asha',
): Promise<{ email: string; password: string }> {
  const email = `${role}-${(users += 1)}-${accountId}@example.com`;
  const user = ['--email', email, '--name', name, '--role', role];
  const { password } = await done('users', 'create', '--account', accountId, ...user);
  return { email, password: String(password) };
}

/**
 * Creates a business account upstream whose callbacks reach the service, for tests that templates and notices of other
 * tests would disturb.
 * @returns its id
 */
export async function newBusiness(): Promise<string> {
  const wabaId = String(randomInt(1e11, 2e11));
  await control('POST', '/numbers', { id: String(randomInt(1e11, 2e11)), phoneNumber: freshPhone(), wabaId });
  const { ok } = await fetch(`${demo.simulatorUrl}/v24.0/${wabaId}/subscribed_apps`, {
    method: 'POST',
    headers: { authorization: `Bearer ${upstreamToken}` },
  });
  if (!ok) throw new Error(`the upstream platform does not report on the business ${wabaId}`);
  return wabaId;
}

/** Adds a business number upstream and assigns it to an account. @param wabaId its business account there */
export async function addNumber(
  accountId: string,
  wabaId = WABA_ID,
): Promise<Pick<TestAccount, 'phoneNumber' | 'phoneNumberId'>> {
  const phoneNumber = `1555${randomInt(1_000_000, 9_999_999)}`;
  const phoneNumberId = String(randomInt(1e11, 2e11));
  await control('POST', '/numbers', { id: phoneNumberId, phoneNumber, wabaId });
  const number = ['--phone-number', phoneNumber, '--phone-number-id', phoneNumberId, '--waba-id', wabaId];
  await done('numbers', 'add', '--account', accountId, ...number, '--access-token', upstreamToken);
  return { phoneNumber, phoneNumberId };
}
