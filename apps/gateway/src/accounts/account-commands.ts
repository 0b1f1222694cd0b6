import type { Command } from 'commander';
import { OverridesService } from './overrides.service';
import { CreditsService } from './credits.service';
import { AccountsService } from './accounts.service';
import { PLAN_FEATURES } from '../request-context/plan';
import { collect, type Console, type Paging, paging, wholeNumber } from '../commands/console';

interface OverrideOptions {
  account: string;
  addFeature: string[];
  removeFeature: string[];
  bulkRecipients?: number;
  excelRows?: number;
  rateLimit?: number;
  rateWindow?: number;
  rateBurst?: number;
  monthlyCredits?: number;
}

export function addAccountCommands({ operator, command }: Console): void {
  command<{ name: string; plan: string }>('accounts', 'create', 'Create an account', {
    options: (verb) =>
      verb
        .requiredOption('--name <name>', 'name of the customer')
        .requiredOption('--plan <plan>', 'plan name (plans list)'),
    run: async ({ name, plan }) => {
      const account = await (await operator.get(AccountsService)).createAccount({ name, plan }, operator.actor);
      return { id: account.accountId, ...account };
    },
  });
  command<Paging>('accounts', 'list', 'List accounts, oldest first', {
    options: paging,
    run: async (page) => {
      const accounts = await (await operator.get(AccountsService)).listAccounts(page);
      return { accounts, nextCursor: accounts.length === page.limit ? (accounts.at(-1)?.accountId ?? null) : null };
    },
  });
  command<{ account: string }>('accounts', 'show', 'Show an account and its effective plan', {
    options: account,
    run: async ({ account: accountId }) => {
      const accounts = await operator.get(AccountsService);
      const overrides = await operator.get(OverridesService);
      const credits = await operator.get(CreditsService);
      return {
        ...(await accounts.requireAccount(accountId)),
        limits: await overrides.planOf(accountId),
        credits: await credits.balancesOf(accountId),
      };
    },
  });
  command<{ account: string; plan: string }>('accounts', 'set-plan', 'Change the plan of an account', {
    options: (verb) => account(verb).requiredOption('--plan <plan>', 'plan name (plans list)'),
    run: async ({ account: accountId, plan }) => ({
      accountId,
      ...(await (await operator.get(OverridesService)).setPlan(accountId, plan, operator.actor)),
    }),
  });
  command<{ account: string; reason?: string }>(
    'accounts',
    'suspend',
    'Suspend an account: reject its keys and console sessions; messages already accepted are still sent',
    {
      options: (verb) => account(verb).option('--reason <text>', 'reason, visible to operators only'),
      run: async ({ account: accountId, reason }) => ({
        ...(await (await operator.get(AccountsService)).suspendAccount(accountId, reason, operator.actor)),
      }),
    },
  );
  command<{ account: string }>('accounts', 'resume', 'Resume a suspended account', {
    options: account,
    run: async ({ account: accountId }) => ({
      ...(await (await operator.get(AccountsService)).resumeAccount(accountId, operator.actor)),
    }),
  });
  command<OverrideOptions>(
    'accounts',
    'override',
    "Override limits or features of an account's plan; absent options stay unchanged",
    {
      options: overrideOptions,
      run: async ({ account: accountId, addFeature, removeFeature, rateWindow, ...figures }) => {
        const features = {
          addedFeatures: givenOrUndefined(addFeature),
          removedFeatures: givenOrUndefined(removeFeature),
        };
        const change = { ...figures, ...features, rateWindowSeconds: rateWindow };
        return {
          accountId,
          ...(await (await operator.get(OverridesService)).setOverrides(accountId, change, operator.actor)),
        };
      },
    },
  );
  command<{ account: string }>('accounts', 'reset-overrides', "Remove all overrides of an account's plan", {
    options: account,
    run: async ({ account: accountId }) => ({
      accountId,
      ...(await (await operator.get(OverridesService)).resetOverrides(accountId, operator.actor)),
    }),
  });
}

function account(verb: Command): Command {
  return verb.requiredOption('--account <id>', 'account ID');
}

function overrideOptions(verb: Command): Command {
  const features = PLAN_FEATURES.join(', ');
  return account(verb)
    .option('--bulk-recipients <n>', 'recipients per bulk call', wholeNumber(0))
    .option('--excel-rows <n>', 'rows per spreadsheet, at most 100000', wholeNumber(0, 100_000))
    .option('--rate-limit <n>', 'requests per window and API key', wholeNumber(1))
    .option('--rate-window <seconds>', 'length of the window in seconds', wholeNumber(1))
    .option('--rate-burst <n>', 'maximum burst of requests', wholeNumber(1))
    .option('--monthly-credits <n>', 'utility credits per month', wholeNumber(0))
    .option(
      '--add-feature <feature>',
      `feature in addition to the plan (${features}); repeatable; replaces the current list`,
      collect,
      [],
    )
    .option(
      '--remove-feature <feature>',
      'plan feature to remove from the account; repeatable; replaces the current list',
      collect,
      [],
    );
}

/** Maps an omitted repeatable option to undefined, which leaves the value unchanged. */
function givenOrUndefined(values: string[]): string[] | undefined {
  return values.length > 0 ? values : undefined;
}
