import {
  type AccountSettings,
  AppError,
  DEFAULT_OPT_IN_WORDS,
  DEFAULT_OPT_OUT_WORDS,
  WINDOW_POLICIES,
  type WindowPolicy,
} from '@switchboard/contracts';
import { type Command, Option } from 'commander';
import { AuditedChanges } from '../audit-log/audited-changes';
import { AccountsService } from '../accounts/accounts.service';
import { SettingsChanges } from './settings-changes';
import { collect, type Console } from '../commands/console';

interface SetOptions {
  account: string;
  windowPolicy?: WindowPolicy;
  optOutWord: string[];
  defaultOptOutWords?: boolean;
  optInWord: string[];
  defaultOptInWords?: boolean;
  marketingEndpoint?: 'on' | 'off';
}

/** Adds the `settings` commands. Retention has its own commands (`retention`). */
export function addSettingsCommands({ operator, command }: Console): void {
  command<{ account: string }>(
    'settings',
    'show',
    "Show an account's service window policy, opt-out and opt-in words, and marketing endpoint",
    {
      options: account,
      run: async ({ account: wanted }) => {
        const { accountId } = await (await operator.get(AccountsService)).requireAccount(wanted);
        return shown(accountId, (await operator.messaging.getAccountSettings({ accountId })).settings);
      },
    },
  );
  command<SetOptions>('settings', 'set', 'Change the messaging settings of an account; absent options stay unchanged', {
    options: (verb) =>
      account(verb)
        .addOption(
          new Option(
            '--window-policy <policy>',
            'outside the 24-hour window: reject messages without a template (enforce), or let the upstream platform decide (upstream)',
          ).choices(WINDOW_POLICIES),
        )
        .option(
          '--opt-out-word <word>',
          'word that opts a contact out; repeatable; replaces the current list',
          collect,
          [],
        )
        .option('--default-opt-out-words', 'restore the default list')
        .option(
          '--opt-in-word <word>',
          'word that opts a contact in again; repeatable; replaces the current list',
          collect,
          [],
        )
        .option('--default-opt-in-words', 'restore the default list')
        .addOption(
          new Option(
            '--marketing-endpoint <switch>',
            "on: send marketing templates through the platform's Marketing Messages API, from numbers whose business is onboarded to it",
          ).choices(['on', 'off']),
        ),
    run: async ({ account: wanted, windowPolicy, marketingEndpoint, ...words }) => {
      const accounts = await operator.get(AccountsService);
      const changes = await operator.get(AuditedChanges);
      const { accountId } = await accounts.requireAccount(wanted);
      const changed = await new SettingsChanges(operator.messaging, operator.webhooks, changes).change(
        { accountId, actor: operator.actor },
        {
          windowPolicy,
          optOutWords: wordsOf('opt-out', words.optOutWord, words.defaultOptOutWords),
          optInWords: wordsOf('opt-in', words.optInWord, words.defaultOptInWords),
          marketingEndpoint: marketingEndpoint && marketingEndpoint === 'on',
        },
      );
      return shown(accountId, changed);
    },
  });
}

function account(verb: Command): Command {
  return verb.requiredOption('--account <id>', 'account ID');
}

/** Returns the words to set. Null restores the default list; undefined changes nothing. */
function wordsOf(kind: string, given: string[], isDefault = false): string[] | null | undefined {
  if (isDefault && given.length > 0)
    throw new AppError('INVALID_PARAMETER', {
      message: `--${kind}-word and --default-${kind}-words cannot both be given`,
    });
  if (isDefault) return null;
  return given.length > 0 ? given : undefined;
}

/** Returns the effective words: the account's own or the defaults. */
function shown(
  accountId: string,
  { windowPolicy, optOutWords, optInWords, marketingEndpoint = false }: AccountSettings,
): object {
  return {
    accountId,
    windowPolicy,
    optOutWords: optOutWords ?? DEFAULT_OPT_OUT_WORDS,
    defaultOptOutWords: optOutWords === null,
    optInWords: optInWords ?? DEFAULT_OPT_IN_WORDS,
    defaultOptInWords: optInWords === null,
    marketingEndpoint: marketingEndpoint ? 'on' : 'off',
  };
}
