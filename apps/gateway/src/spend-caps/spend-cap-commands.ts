import { AMOUNT_PATTERN, CURRENCY_PATTERN, SetSpendCapCommand } from '@switchboard/contracts';
import { InvalidArgumentError } from 'commander';
import { AccountsService } from '../accounts/accounts.service';
import { AuditedChanges } from '../audit-log/audited-changes';
import { accountOption, type Console } from '../commands/console';

/** Registers the `caps` commands, with which operators manage the spend caps of accounts. */
export function addSpendCapCommands({ operator, command }: Console): void {
  command<{ account: string; amount: string; currency: string }>(
    'caps',
    'set',
    'Set the spend cap of an account per calendar month (UTC). Messages already delivered this month count',
    {
      options: (verb) =>
        accountOption(verb)
          .requiredOption(
            '--amount <amount>',
            'amount such as 500.00',
            matching(AMOUNT_PATTERN, 'an amount such as 500.00'),
          )
          .requiredOption(
            '--currency <code>',
            'currency of the rate card, such as USD',
            matching(CURRENCY_PATTERN, 'three capital letters, such as USD'),
          ),
      run: async ({ account, amount, currency }) => change(account, 'spend-cap.set', { amount, currency }),
    },
  );
  command<{ account: string }>('caps', 'show', 'Show the spend cap of an account and what counts towards it', {
    options: accountOption,
    run: async ({ account }) => {
      const { accountId } = await (await operator.get(AccountsService)).requireAccount(account);
      return operator.messaging.getSpendCap({ accountId });
    },
  });
  command<{ account: string }>('caps', 'clear', 'Remove the spend cap of an account', {
    options: accountOption,
    run: async ({ account }) => change(account, 'spend-cap.clear', null),
  });

  async function change(account: string, action: string, cap: SetSpendCapCommand['cap']): Promise<object> {
    const { accountId } = await (await operator.get(AccountsService)).requireAccount(account);
    const changes = await operator.get(AuditedChanges);
    const entry = { accountId, actor: operator.actor, action, target: accountId, ...(cap && { details: { ...cap } }) };
    return changes.request(entry, SetSpendCapCommand, { cap }, (request) => operator.messaging.setSpendCap(request));
  }
}

function matching(pattern: RegExp, expected: string): (text: string) => string {
  return (text) => {
    if (pattern.test(text)) return text;
    throw new InvalidArgumentError(`must be ${expected}`);
  };
}
