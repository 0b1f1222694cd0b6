import { AppError } from '@switchboard/contracts';
import type { Console } from '../commands/console';
import { type Setup, setUp } from './setup-steps';

interface SetupOptions {
  name?: string;
  plan: string;
  email?: string;
  ownerName?: string;
  keyName: string;
  wabaId?: string;
  phoneNumber?: string;
  webhookUrl?: string;
  to?: string;
  template: string;
  language: string;
}

/** Required options, with the prompts that ask for missing ones. */
const REQUIRED = {
  name: { flags: '--name <name>', question: 'Name of the account: ' },
  email: { flags: '--email <address>', question: 'E-mail address of its owner: ' },
} as const;

/** Adds `setup`, which leads from an empty installation to the first message. */
export function addSetupCommand(console: Console): void {
  console.command<SetupOptions>(
    'setup',
    null,
    'Set up the first account: owner, API key, number, webhook endpoint and first message. Prompts for missing values at a terminal and prints secrets once; a repeat changes nothing',
    {
      options: (verb) =>
        verb
          .option(REQUIRED.name.flags, 'account name; an existing account with this name is used unchanged')
          .option('--plan <plan>', 'plan of a new account (plans list)', 'growth')
          .option(REQUIRED.email.flags, 'e-mail address of the owner, for signing in to the dashboard')
          .option('--owner-name <name>', 'name of the owner; defaults to the part of the address before the @')
          .option('--key-name <name>', 'what the API key is for', 'server')
          .option('--waba-id <id>', "ID of the number's WhatsApp Business account (WABA)")
          .option(
            '--phone-number <digits>',
            'number to connect, digits only; reads the token from UPSTREAM_ACCESS_TOKEN, the PIN from UPSTREAM_NUMBER_PIN',
          )
          .option(
            '--webhook-url <url>',
            'https URL that responds to the verification challenge; reads the verify token from WEBHOOK_VERIFY_TOKEN',
          )
          .option('--to <phone>', 'recipient of the first message, digits only with the country code')
          .option('--template <name>', 'template of the first message', 'hello_world')
          .option('--language <code>', 'language of the template', 'en_US'),
      run: async (options) => setUp(console, await completed(console, options)),
      legend: {
        password: 'shown once; ops users reset-password sets a new one',
        apiKey: 'shown once; ops keys rotate replaces it',
        webhookSecret: 'shown once; verifies the signature of each event',
      },
    },
  );
}

/** Fills in missing options from the environment and from prompts. @throws AppError MISSING_FIELD */
async function completed(console: Console, options: SetupOptions): Promise<Setup> {
  const { canAsk, ask } = console;
  const { name = '', email = '' } = canAsk
    ? {
        name: options.name ?? (await ask(REQUIRED.name.question)),
        email: options.email ?? (await ask(REQUIRED.email.question)),
      }
    : options;
  requireGiven({ [REQUIRED.name.flags]: name, [REQUIRED.email.flags]: email });
  const number = await numberOf(console, options);
  const webhook = await webhookOf(console, options);
  const to = options.to ?? (canAsk ? await ask('Send the first message to (digits only, empty for none): ') : '');
  return {
    account: { name, plan: options.plan },
    owner: { email, name: options.ownerName ?? email.split('@')[0] ?? email },
    keyName: options.keyName,
    ...(number && { number }),
    ...(webhook && { webhook }),
    ...(to !== '' && { message: { to, template: options.template, language: options.language } }),
  };
}

async function numberOf(
  { operator, canAsk, ask, secret }: Console,
  { phoneNumber: given, wabaId: givenId }: SetupOptions,
): Promise<Setup['number']> {
  const phoneNumber = given ?? (canAsk ? await ask('Number to connect (digits only, empty for none): ') : '');
  if (phoneNumber === '' && givenId === undefined) return undefined;
  const wabaId = givenId ?? (canAsk ? await ask('Its WhatsApp Business account (WABA) id: ') : '');
  const { UPSTREAM_ACCESS_TOKEN, UPSTREAM_NUMBER_PIN: pin } = operator.config();
  const accessToken = UPSTREAM_ACCESS_TOKEN || (canAsk ? await secret('Its access token (not shown): ') : '');
  requireGiven({
    '--phone-number <digits>': phoneNumber,
    '--waba-id <id>': wabaId,
    'UPSTREAM_ACCESS_TOKEN in the environment': accessToken,
  });
  return { phoneNumber, wabaId, accessToken, pin };
}

async function webhookOf(
  { operator, canAsk, ask, secret }: Console,
  { webhookUrl }: SetupOptions,
): Promise<Setup['webhook']> {
  const url = webhookUrl ?? (canAsk ? await ask('URL of your webhook endpoint (https, empty for none): ') : '');
  if (url === '') return undefined;
  const verifyToken =
    operator.config().WEBHOOK_VERIFY_TOKEN || (canAsk ? await secret('Its verify token (not shown): ') : '');
  requireGiven({ 'WEBHOOK_VERIFY_TOKEN in the environment': verifyToken });
  return { url, verifyToken };
}

/** @throws AppError MISSING_FIELD naming all empty values */
function requireGiven(values: Record<string, string>): void {
  const missing = Object.keys(values).filter((name) => values[name] === '');
  if (missing.length > 0)
    throw new AppError('MISSING_FIELD', { message: `required and missing: ${missing.join(', ')}` });
}
