import { AddNumberCommand, addNumberV1, AppError } from '@switchboard/contracts';
import { inTransit } from '@switchboard/platform';
import { AuditedChanges } from '../audit-log/audited-changes';
import { AccountsService } from '../accounts/accounts.service';
import type { Operator } from '../commands/operator';
import type { Console } from '../commands/console';

interface AddNumberOptions {
  account: string;
  phoneNumber: string;
  phoneNumberId: string;
  wabaId: string;
  accessToken?: string;
}

/** Adds `numbers add`. The access token is encrypted in transit through the broker. */
export function addServiceCommands({ operator, command }: Console): void {
  command<AddNumberOptions>('numbers', 'add', 'Add a business number to an account, or replace its credentials', {
    options: (verb) =>
      verb
        .requiredOption('--account <id>', 'account ID')
        .requiredOption('--phone-number <digits>', 'business number, digits only')
        .requiredOption('--phone-number-id <id>', 'ID of the number at the upstream platform')
        .requiredOption('--waba-id <id>', 'ID of the WhatsApp Business account (WABA)')
        .option(
          '--access-token <token>',
          'upstream access token; prefer UPSTREAM_ACCESS_TOKEN, which the process list does not show',
        ),
    run: async ({
      account,
      phoneNumber,
      phoneNumberId,
      wabaId,
      accessToken = operator.config().UPSTREAM_ACCESS_TOKEN,
    }) => {
      if (!accessToken)
        throw new AppError('MISSING_FIELD', {
          message: 'an access token is required: set UPSTREAM_ACCESS_TOKEN or give --access-token',
        });
      return addNumber(operator, { account, phoneNumber, phoneNumberId, wabaId, accessToken });
    },
  });
}

/** Adds a number to the messaging service. @throws AppError from the service */
export async function addNumber(operator: Operator, options: Required<AddNumberOptions>): Promise<object> {
  const { account: accountId, phoneNumber, phoneNumberId, wabaId, accessToken } = options;
  const accounts = await operator.get(AccountsService);
  const changes = await operator.get(AuditedChanges);
  await accounts.requireAccount(accountId);
  const sealedAccessToken = operator
    .secretBox()
    .seal(accessToken, inTransit(addNumberV1, 'sealedAccessToken', accountId));
  const number = { phoneNumber, phoneNumberId, wabaId };
  const entry = { actor: operator.actor, action: 'number.add', accountId, target: phoneNumber, details: number };
  const { id: numberId } = await changes.request(entry, AddNumberCommand, { ...number, sealedAccessToken }, (command) =>
    operator.messaging.addNumber(command),
  );
  return { id: numberId, numberId, accountId, phoneNumber };
}
