import { AppError, addNumberV1, parseBody, setEndpointV1 } from '@switchboard/contracts';
import { seal, unseal } from '@switchboard/platform';
import { recordAudit } from '../accounts/audit-log';
import type { Operator } from './operator';
import type { Console } from './console';

interface AddNumberOptions {
  account: string;
  phoneNumber: string;
  phoneNumberId: string;
  wabaId: string;
  accessToken?: string;
}

interface SetWebhookOptions {
  account: string;
  url: string;
  verifyToken: string;
}

/** `numbers` and `webhooks`: what other services keep. Secrets cross the broker sealed. */
export function addServiceCommands({ operator, command }: Console): void {
  command<AddNumberOptions>('numbers', 'add', 'Give an account a business number, or new credentials for it', {
    options: (verb) =>
      verb
        .requiredOption('--account <id>', 'the account')
        .requiredOption('--phone-number <digits>', 'the number, digits only')
        .requiredOption('--phone-number-id <id>', "the upstream platform's id of the number")
        .requiredOption('--waba-id <id>', "the upstream platform's business account")
        .option('--access-token <token>', 'upstream access token; better given as UPSTREAM_ACCESS_TOKEN, out of the process list'),
    run: async ({ account, phoneNumber, phoneNumberId, wabaId, accessToken = operator.config().UPSTREAM_ACCESS_TOKEN }) => {
      if (!accessToken) throw new AppError('MISSING_FIELD', { message: 'an access token is required: set UPSTREAM_ACCESS_TOKEN or give --access-token' });
      return addNumber(operator, { account, phoneNumber, phoneNumberId, wabaId, accessToken });
    },
  });
  command<SetWebhookOptions>('webhooks', 'set', "Verify a URL and make it the account's webhook; its signing secret is shown this once", {
    options: (verb) =>
      verb
        .requiredOption('--account <id>', 'the account')
        .requiredOption('--url <url>', 'an https URL that answers the verification challenge')
        .requiredOption('--verify-token <token>', "the customer's verify token"),
    run: (options) => setWebhook(operator, options),
  });
}

/** Registers a number with the messaging service. @throws AppError as the service refuses it */
export async function addNumber(operator: Operator, options: Required<AddNumberOptions>): Promise<object> {
  const { account: accountId, phoneNumber, phoneNumberId, wabaId, accessToken } = options;
  const { accounts, transactions } = await operator.database();
  await accounts.requireAccount(accountId);
  const sealedAccessToken = seal(accessToken, operator.config().ENCRYPTION_KEY);
  const request = parseBody(addNumberV1.request, { accountId, phoneNumber, phoneNumberId, wabaId, sealedAccessToken });
  // Written first: the other service's change must not stand without an entry, whatever happens to us in between.
  await transactions.run((tx) =>
    recordAudit(tx, { actor: operator.actor, action: 'number.add', accountId, target: phoneNumber, details: { phoneNumber, phoneNumberId, wabaId } }),
  );
  const { id: numberId } = await operator.ask(addNumberV1, request);
  return { id: numberId, numberId, accountId, phoneNumber };
}

async function setWebhook(operator: Operator, { account: accountId, url, verifyToken }: SetWebhookOptions): Promise<object> {
  const { accounts, transactions } = await operator.database();
  await accounts.requireAccount(accountId);
  const key = operator.config().ENCRYPTION_KEY;
  const request = parseBody(setEndpointV1.request, { accountId, url, sealedVerifyToken: seal(verifyToken, key) });
  // Written first: nothing may stand between the new secret and the operator who sees it this once.
  await transactions.run((tx) => recordAudit(tx, { actor: operator.actor, action: 'webhook.set', accountId, target: accountId, details: { url } }));
  const { id: endpointId, sealedSecret, url: savedUrl } = await operator.ask(setEndpointV1, request);
  return { id: endpointId, endpointId, accountId, url: savedUrl, secret: unseal(sealedSecret, key) };
}
