import { CREDIT_CATEGORIES, type CreditCategory } from '../accounts/credits.service';
import { Option } from 'commander';
import { type Console, wholeNumber } from './console';

/** `accounts` and `credits`. */
export function addAccountCommands({ operator, command }: Console): void {
  command<{ name: string; plan: string }>('accounts', 'create', 'Make an account', {
    options: (verb) => verb.requiredOption('--name <name>', "the customer's name").requiredOption('--plan <plan>', 'a plan (plans list)'),
    run: async ({ name, plan }) => {
      const account = await (await operator.database()).accounts.createAccount({ name, plan }, operator.actor);
      return { id: account.accountId, ...account };
    },
  });
  command('accounts', 'list', 'List all accounts', {
    options: (verb) => verb,
    run: async () => ({ accounts: await (await operator.database()).accounts.listAccounts() }),
  });
  command<{ account: string; amount: number; category: CreditCategory; reason: string }>('credits', 'grant', 'Give an account credits', {
    options: (verb) =>
      verb
        .requiredOption('--account <id>', 'the account')
        .requiredOption('--amount <credits>', 'how many', wholeNumber(1))
        .addOption(new Option('--category <category>', 'which credits').choices(CREDIT_CATEGORIES).default('utility'))
        .option('--reason <reason>', 'kept in the ledger', 'granted by the operator'),
    run: async ({ account: accountId, amount, category, reason }) => {
      const { credits } = await operator.database();
      return { accountId, category, balance: await credits.grant({ accountId, amount, category, reason }, operator.actor) };
    },
  });
  command<{ account: string }>('credits', 'show', "Show an account's credits", {
    options: (verb) => verb.requiredOption('--account <id>', 'the account'),
    run: async ({ account }) => {
      const { accounts, credits } = await operator.database();
      const { accountId } = await accounts.requireAccount(account);
      return { accountId, credits: await credits.balancesOf(accountId) };
    },
  });
}
