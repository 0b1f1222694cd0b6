import { AppError } from '@switchboard/contracts';
import { generatePassword } from '../users/passwords';
import type { DatabaseServices, Operator } from './operator';
import type { Console } from './console';
import { addNumber } from './service-commands';

/** The demo installation's fixed facts; the simulator knows the same ones. */
const DEMO_ACCOUNT = { name: 'Demo', plan: 'growth' };
const DEMO_NUMBER = { phoneNumber: '15550783881', phoneNumberId: '200000000000002', wabaId: '100000000000001' };
const DEMO_CONTACT = '919812345678';
const DEMO_OWNER = { email: 'demo@switchboard.example', name: 'Demo', role: 'owner' } as const;

/** `demo seed`. */
export function addDemoCommand({ operator, command }: Console): void {
  command<{ apiKey?: string; newPassword?: boolean }>(
    'demo',
    'seed',
    'Make the demo account, its key, number, credits and owner; doing it again changes nothing',
    {
      options: (verb) =>
        verb
          .option('--api-key <key>', 'an earlier demo key; the command keeps it when it still works')
          .option('--new-password', 'give the demo owner another password, if there is a demo owner'),
      run: (options) => seedDemo(operator, options),
    },
  );
}

async function seedDemo(
  operator: Operator,
  { apiKey: earlierKey, newPassword = false }: { apiKey?: string; newPassword?: boolean },
): Promise<object> {
  const { SIMULATOR_ACCESS_TOKEN: accessToken } = operator.config();
  if (!accessToken) throw new AppError('MISSING_FIELD', { message: 'SIMULATOR_ACCESS_TOKEN is required' });
  const services = await operator.database();
  const { accountId } = await services.accounts.ensureAccount(DEMO_ACCOUNT, operator.actor);
  await addNumber(operator, { account: accountId, ...DEMO_NUMBER, accessToken });
  const apiKey = await workingKey(services, accountId, { earlierKey, actor: operator.actor });
  const dashboardPassword = await ownerPassword(services, accountId, { newPassword, actor: operator.actor });
  return {
    ...{ apiKey, accountId, phoneNumber: DEMO_NUMBER.phoneNumber, contact: DEMO_CONTACT },
    ...{ dashboardEmail: DEMO_OWNER.email, ...(dashboardPassword !== undefined && { dashboardPassword }) },
  };
}

/** @returns the password that was set; undefined when the owner keeps an earlier one, which nobody can show again */
async function ownerPassword(
  { users }: DatabaseServices,
  accountId: string,
  { newPassword, actor }: { newPassword: boolean; actor: string },
): Promise<string | undefined> {
  const findOwner = async () => (await users.listUsers(accountId)).find(({ email }) => email === DEMO_OWNER.email);
  const owner = await findOwner();
  if (owner && !newPassword) return undefined;
  const password = generatePassword();
  if (owner) await users.resetPassword(owner.userId, password, actor);
  else
    try {
      await users.createUser({ accountId, ...DEMO_OWNER, password }, actor);
    } catch (error) {
      // Another seeding was faster.
      if (await findOwner()) return undefined;
      throw error;
    }
  return password;
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
