import { AppError } from '@switchboard/contracts';
import type { DatabaseServices, Operator } from './operator';
import type { Console } from './console';
import { addNumber } from './service-commands';

/** The demo installation's fixed facts; the simulator knows the same ones. */
const DEMO_ACCOUNT = { name: 'Demo', plan: 'growth' };
const DEMO_NUMBER = { phoneNumber: '15550783881', phoneNumberId: '200000000000002', wabaId: '100000000000001' };
const DEMO_CONTACT = '919812345678';

/** `demo seed`. */
export function addDemoCommand({ operator, command }: Console): void {
  command<{ apiKey?: string }>(
    'demo',
    'seed',
    'Make the demo account, its key, number and credits; doing it again changes nothing',
    {
      options: (verb) =>
        verb.option('--api-key <key>', 'an earlier demo key; the command keeps it when it still works'),
      run: ({ apiKey }) => seedDemo(operator, apiKey),
    },
  );
}

async function seedDemo(operator: Operator, earlierKey?: string): Promise<object> {
  const { SIMULATOR_ACCESS_TOKEN: accessToken } = operator.config();
  if (!accessToken) throw new AppError('MISSING_FIELD', { message: 'SIMULATOR_ACCESS_TOKEN is required' });
  const services = await operator.database();
  const { accountId } = await services.accounts.ensureAccount(DEMO_ACCOUNT, operator.actor);
  await addNumber(operator, { account: accountId, ...DEMO_NUMBER, accessToken });
  const apiKey = await workingKey(services, accountId, { earlierKey, actor: operator.actor });
  return { apiKey, accountId, phoneNumber: DEMO_NUMBER.phoneNumber, contact: DEMO_CONTACT };
}

async function workingKey(
  { keys }: DatabaseServices,
  accountId: string,
  { earlierKey, actor }: { earlierKey?: string; actor: string },
): Promise<string> {
  if (earlierKey !== undefined && (await keys.isActiveKey(earlierKey, accountId))) return earlierKey;
  const { apiKey } = await keys.createKey({ accountId, name: 'Demo', allowedIps: [], allowedRoutes: [] }, actor);
  return apiKey;
}
