import { randomInt } from 'node:crypto';
import { AppError } from '@switchboard/contracts';
import { AccountsService } from '../accounts/accounts.service';
import { KeysService } from '../api-keys/keys.service';
import { AuditedChanges } from '../audit-log/audited-changes';
import type { Console } from '../commands/console';
import type { Operator } from '../commands/operator';
import { addNumber } from '../numbers/number-add-command';
import { OtpChanges } from '../otp/otp-changes';
import { untilOver } from '../templates/template-commands';
import { generatePassword } from '../users/passwords';
import { UsersService } from '../users/users.service';

/** Fixed data of the demo installation, which the simulator also has. */
const DEMO_ACCOUNT = { name: 'Demo', plan: 'growth' };
const DEMO_NUMBER = { phoneNumber: '15550783881', phoneNumberId: '200000000000002', wabaId: '100000000000001' };
const DEMO_CONTACT = '919812345678';
const OTP_TEMPLATE = { name: 'verification_code', language: 'en_US' };
const DEMO_OWNER = { email: 'demo@switchboard.example', name: 'Demo', role: 'owner' } as const;

/** Default address of the API. */
const LOCAL_BASE_URL = 'http://localhost:3000';

/** Time limit for the first template sync, in milliseconds. */
const TEMPLATES_MS = 20_000;
/** Time limit of a simulator call, in milliseconds. */
const SIMULATOR_MS = 5_000;

/** Adds `demo`, which creates trial accounts with numbers on the simulator. */
export function addDemoCommand({ operator, command }: Console): void {
  command<{ apiKey?: string; newPassword?: boolean }>(
    'demo',
    'seed',
    'Create the demo account, its number, credits and owner if missing, and print an API key',
    {
      options: (verb) =>
        verb
          .option('--api-key <key>', 'existing demo key to keep if it still works')
          .option('--new-password', 'set a new password for an existing demo owner'),
      run: (options) => seedDemo(operator, options),
    },
  );
  command<{ name: string }>(
    'demo',
    'number',
    'Create another demo account with its own API key and a business number on the simulator',
    {
      options: (verb) => verb.option('--name <name>', 'name of the account and of its number', 'Second demo'),
      run: ({ name }) => addDemoNumber(operator, name),
      legend: {
        windowOpen: 'the contact has not written to the number: only templates can be sent until they do',
        firstSend: 'a send that works now',
      },
    },
  );
}

/**
 * Adds the number to the simulator before creating the account. A number without an account is harmless, an account
 * without a number is not.
 */
async function addDemoNumber(operator: Operator, name: string): Promise<object> {
  const { SIMULATOR_ACCESS_TOKEN: accessToken, SIMULATOR_PAGE_URL: simulatorUrl } = operator.config();
  if (!accessToken || !simulatorUrl)
    throw new AppError('MISSING_FIELD', { message: 'SIMULATOR_ACCESS_TOKEN and SIMULATOR_PAGE_URL are required' });
  const accounts = await operator.get(AccountsService);
  // The simulator sends callbacks and approves templates for the demo's business account.
  const { wabaId } = DEMO_NUMBER;
  const number = { phoneNumber: `1555${digits(7)}`, phoneNumberId: `2${digits(14)}`, wabaId };
  await addToSimulator(simulatorUrl, { ...number, verifiedName: name });
  const { accountId } = await accounts.createAccount({ name, plan: DEMO_ACCOUNT.plan }, operator.actor);
  await addNumber(operator, { account: accountId, ...number, accessToken });
  const apiKey = await workingKey(operator, accountId);
  const otpTemplate = await chooseOtpTemplate(operator, accountId);
  return {
    apiKey,
    accountId,
    ...number,
    contact: DEMO_CONTACT,
    otpTemplate,
    windowOpen: false,
    firstSend: firstSend(operator.config().PUBLIC_BASE_URL ?? LOCAL_BASE_URL, apiKey),
  };
}

/** Returns an example of a send that works outside the service window, with a template that every simulator has. */
function firstSend(baseUrl: string, apiKey: string): string {
  const template = { name: 'hello_world', language: { code: 'en_US' } };
  const body = JSON.stringify({ to: DEMO_CONTACT, type: 'template', template });
  return `curl ${baseUrl}/v1/messages/send -H 'Authorization: Bearer ${apiKey}' -H 'Content-Type: application/json' -d '${body}'`;
}

/** @throws AppError UNAVAILABLE when the simulator does not respond or rejects the request */
async function addToSimulator(
  simulatorUrl: string,
  { phoneNumber, phoneNumberId: id, wabaId, verifiedName }: Record<string, string>,
): Promise<void> {
  const answer = await fetch(new URL('/_control/numbers', simulatorUrl), {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ id, phoneNumber, wabaId, verifiedName }),
    signal: AbortSignal.timeout(SIMULATOR_MS),
  }).catch((error: unknown) => {
    throw new AppError('UNAVAILABLE', { message: `the simulator at ${simulatorUrl} does not answer`, cause: error });
  });
  if (!answer.ok)
    throw new AppError('UNAVAILABLE', {
      message: `the simulator at ${simulatorUrl} refused the number: ${(await answer.text()).slice(0, 300)}`,
    });
}

function digits(count: number): string {
  return Array.from({ length: count }, () => randomInt(10)).join('');
}

async function seedDemo(
  operator: Operator,
  { apiKey: earlierKey, newPassword = false }: { apiKey?: string; newPassword?: boolean },
): Promise<object> {
  const { SIMULATOR_ACCESS_TOKEN: accessToken } = operator.config();
  if (!accessToken) throw new AppError('MISSING_FIELD', { message: 'SIMULATOR_ACCESS_TOKEN is required' });
  const accounts = await operator.get(AccountsService);
  const { account } = await accounts.ensureAccount(DEMO_ACCOUNT, operator.actor);
  const { accountId } = account;
  await addNumber(operator, { account: accountId, ...DEMO_NUMBER, accessToken });
  const apiKey = await workingKey(operator, accountId, earlierKey);
  const dashboardPassword = await ownerPassword(operator, accountId, newPassword);
  return {
    apiKey,
    accountId,
    phoneNumber: DEMO_NUMBER.phoneNumber,
    contact: DEMO_CONTACT,
    otpTemplate: await chooseOtpTemplate(operator, accountId),
    dashboardEmail: DEMO_OWNER.email,
    ...(dashboardPassword !== undefined && { dashboardPassword }),
  };
}

/**
 * Selects the simulator's one-time password template, so that one-time codes work immediately. The templates service
 * reads it some seconds after the number was added. An earlier choice is kept.
 * @returns the name of the template; null if the service has not read it in time
 */
async function chooseOtpTemplate(operator: Operator, accountId: string): Promise<string | null> {
  const { settings } = await operator.otp.getSettings({ accountId });
  if (settings.template) return settings.template.name;
  const look = async () => (await operator.templates.listTemplates({ accountId, ...OTP_TEMPLATE })).templates;
  const templates = await untilOver(await look(), (found) => found.length === 0, look, TEMPLATES_MS);
  if (templates.length === 0) return null;
  const by = { accountId, actor: operator.actor };
  const changes = await operator.get(AuditedChanges);
  const chosen = await new OtpChanges(operator.otp, changes).change(by, { template: OTP_TEMPLATE });
  return chosen.template?.name ?? null;
}

/** @returns the new password; undefined if the owner keeps an earlier one, which cannot be shown again */
async function ownerPassword(operator: Operator, accountId: string, newPassword: boolean): Promise<string | undefined> {
  const { actor } = operator;
  const users = await operator.get(UsersService);
  const findOwner = async () => (await users.listUsers(accountId)).find(({ email }) => email === DEMO_OWNER.email);
  const owner = await findOwner();
  if (owner && !newPassword) return undefined;
  const password = generatePassword();
  if (owner) await users.resetPassword(owner.userId, password, actor);
  else
    try {
      await users.createUser({ accountId, ...DEMO_OWNER, password }, actor);
    } catch (error) {
      // Another process created the owner concurrently.
      if (await findOwner()) return undefined;
      throw error;
    }
  return password;
}

async function workingKey(operator: Operator, accountId: string, earlierKey?: string): Promise<string> {
  const keys = await operator.get(KeysService);
  if (earlierKey !== undefined && (await keys.isActiveKey(earlierKey, accountId))) return earlierKey;
  const { apiKey } = await keys.createKey(
    { accountId, name: 'Demo', allowedIps: [], allowedRoutes: [] },
    operator.actor,
  );
  return apiKey;
}
