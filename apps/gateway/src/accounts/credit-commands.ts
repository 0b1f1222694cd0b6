import { AppError, CREDIT_CATEGORIES, type CreditCategory } from '@switchboard/contracts';
import { Option } from 'commander';
import { CreditsService } from './credits.service';
import { AccountsService } from './accounts.service';
import { type Console, type Paging, paging, wholeNumber } from '../commands/console';

export function addCreditCommands({ operator, command }: Console): void {
  command<{ account: string }>('credits', 'show', "Show an account's credit balances", {
    options: (verb) => verb.requiredOption('--account <id>', 'account ID'),
    run: async ({ account }) => {
      const accounts = await operator.get(AccountsService);
      const credits = await operator.get(CreditsService);
      const { accountId } = await accounts.requireAccount(account);
      return { accountId, credits: await credits.balancesOf(accountId) };
    },
  });
  command<{ account: string; amount: number; category: CreditCategory; reason: string }>(
    'credits',
    'top-up',
    'Add credits to an account',
    {
      options: (verb) =>
        verb
          .requiredOption('--account <id>', 'account ID')
          .requiredOption('--amount <credits>', 'number of credits', wholeNumber(1))
          .addOption(
            new Option('--category <category>', 'category of the credits')
              .choices(CREDIT_CATEGORIES)
              .default('utility'),
          )
          .option('--reason <reason>', 'reason, recorded in the ledger', 'topped up by the operator'),
      run: async ({ account: accountId, amount, category, reason }) => {
        const credits = await operator.get(CreditsService);
        return {
          accountId,
          category,
          balance: await credits.topUp({ accountId, amount, category, reason }, operator.actor),
        };
      },
    },
  );
  command<Paging & { account: string }>('credits', 'ledger', "Show an account's credit ledger, newest entry first", {
    options: (verb) => paging(verb.requiredOption('--account <id>', 'account ID')),
    run: async ({ account: accountId, limit, cursor }) => {
      if (cursor !== undefined && !/^[0-9]{1,18}$/.test(cursor))
        throw new AppError('INVALID_PARAMETER', { message: `${cursor} must be a nextCursor of this list` });
      const entries = await (await operator.get(CreditsService)).ledgerOf(accountId, { limit, before: cursor });
      return { entries, nextCursor: entries.length === limit ? (entries.at(-1)?.entryId ?? null) : null };
    },
  });
}
