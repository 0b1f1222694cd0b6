import { randomInt } from 'node:crypto';
import { clientOf } from './api';
import { ops, upstreamToken } from './installation';
import { control } from './simulator';

/** The simulator's business account, to which all of its numbers belong. */
export const WABA_ID = '100000000000001';

/** An account that nobody else uses: what one test file does is not seen by another. */
export interface TestAccount {
  accountId: string;
  apiKey: string;
  api: ReturnType<typeof clientOf>;
  /** Its only business number. */
  phoneNumber: string;
  /** The upstream platform's id of that number. */
  phoneNumberId: string;
}

/** Makes an account with a key and a business number of its own. */
export async function newAccount(name: string, { plan = 'scale' }: { plan?: string } = {}): Promise<TestAccount> {
  const phoneNumber = `1555${randomInt(1_000_000, 9_999_999)}`;
  const phoneNumberId = String(randomInt(1e11, 2e11));
  await control('POST', '/numbers', { id: phoneNumberId, phoneNumber });
  const accountId = String((await done('accounts', 'create', '--name', name, '--plan', plan))['accountId']);
  const [key] = await Promise.all([
    done('keys', 'create', '--account', accountId, '--name', 'test'),
    done('numbers', 'add', '--account', accountId, ...['--phone-number', phoneNumber, '--phone-number-id', phoneNumberId, '--waba-id', WABA_ID, '--access-token', upstreamToken]),
  ]);
  const apiKey = String(key['apiKey']);
  return { accountId, apiKey, api: clientOf(apiKey), phoneNumber, phoneNumberId };
}

/** An operator's command that must succeed. */
export async function done(...words: string[]): Promise<Record<string, unknown>> {
  const { exitCode, json } = await ops(...words);
  if (exitCode !== 0) throw new Error(`ops ${words.slice(0, 2).join(' ')} failed: ${JSON.stringify(json)}`);
  return json;
}
