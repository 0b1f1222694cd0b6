import { AppError, type MessageRecord, newId, readUrl, SendMessageCommand } from '@switchboard/contracts';
import { KeysService } from '../api-keys/keys.service';
import { AccountsService } from '../accounts/accounts.service';
import { AuditedChanges, isRefusal } from '../audit-log/audited-changes';
import { WebhookChanges } from '../webhooks/webhook-changes';
import { toAppError } from '../http/framework-errors';
import { generatePassword } from '../users/passwords';
import { normaliseEmail, UsersService } from '../users/users.service';
import type { Console } from '../commands/console';
import { connectNumber, type NumberToConnect } from '../numbers/number-connection';
import { untilOver } from '../templates/template-commands';
import { Unfinished } from '../commands/unfinished';

/** Objects to set up; absent ones are skipped. */
export interface Setup {
  account: { name: string; plan: string };
  owner: { email: string; name: string };
  keyName: string;
  number?: Omit<NumberToConnect, 'account'>;
  webhook?: { url: string; verifyToken: string };
  message?: { to: string; template: string; language: string };
}

type Outcome = 'done' | 'unchanged' | 'skipped' | 'failed' | 'unknown' | 'not reached';

interface Step {
  outcome: Outcome;
  detail: string;
  /** Secrets that the step created, by field name in the result. */
  secrets?: Record<string, string>;
}

type SetupConsole = Pick<Console, 'operator' | 'note' | 'canAsk' | 'secret'>;

/** Default address of the API. */
const LOCAL_BASE_URL = 'http://localhost:3000';
/** Client reference of the first message, by which a repeated run finds the message. */
const CLIENT_REF = 'ops-setup';
/** Time limit for the first template sync, in milliseconds. */
const TEMPLATES_MS = 20_000;
/** Maximum wait for the delivery of the first message, in milliseconds. */
const DELIVERY_MS = 15_000;

/**
 * Creates the missing parts of an account, step by step. A failed step stops only the steps that depend on it, because
 * the secrets from other steps can be shown only once.
 * @throws Unfinished with everything created so far if a step fails
 */
export async function setUp(console: SetupConsole, given: Setup): Promise<object> {
  const { operator, note } = console;
  const accounts = await operator.get(AccountsService);
  const { account, isNew } = await accounts.ensureAccount(given.account, operator.actor);
  const { accountId } = account;
  const detail = `${account.name} (${accountId}), plan ${account.plan}`;
  const steps = new Map<string, Step>([['account', { outcome: isNew ? 'done' : 'unchanged', detail }]]);
  const failures: AppError[] = [];
  const take = async (name: string, work: () => Promise<Step>): Promise<void> => {
    note(`${name} …\n`);
    try {
      steps.set(name, await work());
    } catch (error) {
      const failure = toAppError(error);
      const outcome = isRefusal(failure) ? 'failed' : 'unknown';
      steps.set(name, { outcome, detail: failure.message });
      failures.push(new AppError(failure.code, { message: `${name}: ${failure.message}`, cause: failure }));
    }
  };

  await take('owner', () => makeOwner(console, accountId, given.owner));
  await take('key', () => makeKey(console, accountId, given.keyName));
  await take('number', () => connect(console, accountId, given.number));
  await take('webhook', () => addWebhook(console, accountId, given.webhook));
  const isConnected = steps.get('number')?.outcome !== 'failed' && steps.get('number')?.outcome !== 'unknown';
  if (isConnected) await take('message', () => sendFirst(console, accountId, given.message));
  else steps.set('message', { outcome: 'not reached', detail: 'It needs the number.' });

  const baseUrl = (operator.config().PUBLIC_BASE_URL ?? LOCAL_BASE_URL).replace(/\/$/, '');
  const result = {
    accountId,
    dashboard: `${baseUrl}/dashboard`,
    email: normaliseEmail(given.owner.email),
    api: `${baseUrl}/v1`,
    ...Object.assign({}, ...[...steps.values()].map(({ secrets }) => secrets)),
    steps: [...steps].map(([step, { outcome, detail }]) => ({ step, outcome, detail })),
  };
  const [failure, ...others] = failures;
  if (!failure) return result;
  const more = others.length === 0 ? '' : ` (and ${others.length} more)`;
  throw new Unfinished(failure.code, `${failure.message}${more}. Repeat the command: it does what is missing`, result);
}

async function makeOwner(
  { operator }: SetupConsole,
  accountId: string,
  { email: given, name }: Setup['owner'],
): Promise<Step> {
  const users = await operator.get(UsersService);
  const email = normaliseEmail(given);
  const known = (await users.listUsers(accountId)).find((user) => user.email === email);
  if (known) {
    if (known.role !== 'owner')
      throw new AppError('INVALID_PARAMETER', {
        message: `${email} has the role ${known.role}: ops users set-role --user ${known.userId} --role owner`,
      });
    return { outcome: 'unchanged', detail: `${email} (${known.userId})` };
  }
  const password = generatePassword();
  const { userId } = await users.createUser({ accountId, email, name, role: 'owner', password }, operator.actor);
  return { outcome: 'done', detail: `${email} (${userId})`, secrets: { password } };
}

async function makeKey({ operator }: SetupConsole, accountId: string, name: string): Promise<Step> {
  const keys = await operator.get(KeysService);
  const known = (await keys.listKeys(accountId)).find((key) => key.name === name && key.state === 'active');
  if (known) return { outcome: 'unchanged', detail: `${name} (${known.keyId}), ends in ${known.lastFour}` };
  const { apiKey, record } = await keys.createKey(
    { accountId, name, allowedIps: [], allowedRoutes: [] },
    operator.actor,
  );
  return { outcome: 'done', detail: `${name} (${record.keyId})`, secrets: { apiKey } };
}

async function connect(
  { operator, canAsk, secret }: SetupConsole,
  account: string,
  number: Setup['number'],
): Promise<Step> {
  if (!number) return { outcome: 'skipped', detail: 'No --phone-number. ops numbers connect adds one later.' };
  const before = await numbersOf(operator, account);
  try {
    await connectNumber(operator, { account, ...number });
  } catch (error) {
    // Only a number that is not registered yet needs a PIN.
    if (!canAsk || number.pin !== undefined || !(error instanceof AppError) || error.code !== 'MISSING_FIELD')
      throw error;
    const pin = await secret("The number's six-digit PIN, or a new one (not shown): ");
    await connectNumber(operator, { account, ...number, pin });
  }
  const outcome = before.includes(number.phoneNumber) ? 'unchanged' : 'done';
  return { outcome, detail: `${number.phoneNumber}, business account ${number.wabaId}` };
}

async function numbersOf(operator: SetupConsole['operator'], accountId: string): Promise<string[]> {
  const { numbers } = await operator.messaging.listNumbers({ accountId });
  return numbers.map(({ phoneNumber }) => phoneNumber);
}

async function addWebhook({ operator }: SetupConsole, accountId: string, webhook: Setup['webhook']): Promise<Step> {
  if (!webhook) return { outcome: 'skipped', detail: 'No --webhook-url. ops webhooks add adds one later.' };
  const { endpoints } = await operator.webhooks.listEndpoints({ accountId });
  const normalised = readUrl(webhook.url)?.href ?? webhook.url;
  const known = endpoints.find(({ url }) => url === normalised || url === webhook.url);
  if (known) return { outcome: 'unchanged', detail: `${known.url} (${known.id})` };
  const changes = await operator.get(AuditedChanges);
  const settings = new WebhookChanges(operator.webhooks, changes, operator.secretBox());
  const { endpoint, secret } = await settings.createEndpoint({ accountId, actor: operator.actor }, webhook);
  return { outcome: 'done', detail: `${endpoint.url} (${endpoint.id})`, secrets: { webhookSecret: secret } };
}

async function sendFirst(
  { operator, note }: SetupConsole,
  accountId: string,
  message: Setup['message'],
): Promise<Step> {
  if (!message) return { outcome: 'skipped', detail: 'No --to.' };
  const { to, template: name, language } = message;
  const earlier = await sentBefore(operator, accountId, to);
  if (earlier) return { outcome: 'unchanged', detail: `${earlier.id} to ${to}, ${earlier.status}` };
  const look = async () => (await operator.templates.listTemplates({ accountId, name, language })).templates;
  const first = await look();
  if (first.length === 0) note(`waiting for the template ${name} (${language}) …\n`);
  if ((await untilOver(first, (found) => found.length === 0, look, TEMPLATES_MS)).length === 0)
    throw new AppError('TEMPLATE_NOT_FOUND', {
      message: `there is no approved template ${name} (${language}); ops templates list shows them: give --template and --language`,
    });
  const messageId = newId('msg');
  const changes = await operator.get(AuditedChanges);
  const entry = { actor: operator.actor, action: 'message.send', accountId, target: messageId };
  await changes.request(
    { ...entry, details: { type: 'template', template: name } },
    SendMessageCommand,
    {
      messageId,
      message: { to, type: 'template', template: { name, language: { code: language } }, clientRef: CLIENT_REF },
    },
    (command) => operator.messaging.sendMessage(command),
  );
  const read = async () => (await operator.messaging.getMessage({ accountId, id: messageId })).message;
  const { status, error } = await untilOver(await read(), isUnderWay, read, DELIVERY_MS);
  if (status === 'failed')
    throw new AppError('UPSTREAM_ERROR', { message: `${messageId} to ${to} failed: ${error?.title ?? 'no reason'}` });
  const isKnown = !isUnderWay({ status });
  const noCallback = 'no delivery reported yet: ops numbers check looks at the callbacks';
  return { outcome: 'done', detail: `${messageId} to ${to}, ${isKnown ? status : noCallback}` };
}

const isUnderWay = ({ status }: Pick<MessageRecord, 'status'>): boolean =>
  !['delivered', 'read', 'failed'].includes(status);

/** Returns the first message of an earlier run, unless it failed. */
async function sentBefore(
  operator: SetupConsole['operator'],
  accountId: string,
  phone: string,
): Promise<MessageRecord | undefined> {
  const filter = { accountId, phone, clientRef: CLIENT_REF, page: 1, limit: 20 };
  const { messages } = await operator.messaging.listMessages(filter);
  return messages.find(({ status }) => status !== 'failed');
}
