import { AppError, MAX_OTP_FIGURE_DAYS, MAX_SENDS_PER_PREFIX, type OtpSettings } from '@switchboard/contracts';
import { type Command, InvalidArgumentError } from 'commander';
import { AuditedChanges } from '../audit-log/audited-changes';
import { AccountsService } from '../accounts/accounts.service';
import { OtpChanges } from './otp-changes';
import { collect, type Console, wholeNumber } from '../commands/console';

interface SetOptions {
  account: string;
  template?: string;
  language: string;
  country: string[];
  allCountries?: boolean;
  sendsPerPrefix?: number | 'default';
}

/** Adds the `otp` commands for one-time passwords. */
export function addOtpCommands({ operator, command }: Console): void {
  command<{ account: string }>('otp', 'show', "Show an account's OTP template, countries and limit", {
    options: account,
    run: async ({ account: wanted }) => {
      const { accountId } = await (await operator.get(AccountsService)).requireAccount(wanted);
      return shown(accountId, (await operator.otp.getSettings({ accountId })).settings);
    },
  });
  command<SetOptions>('otp', 'set', "Change an account's one-time password settings; absent options stay unchanged", {
    options: (verb) =>
      account(verb)
        .option('--template <name>', 'approved template of category AUTHENTICATION or UTILITY')
        .option('--language <code>', 'language of the template', 'en_US')
        .option(
          '--country <code>',
          'ISO code of an allowed country; repeatable; replaces the current list',
          collect,
          [],
        )
        .option('--all-countries', 'allow all countries')
        .option(
          '--sends-per-prefix <n>',
          `maximum sends per hour to numbers that differ only in their last four digits, 1 to ${MAX_SENDS_PER_PREFIX}, or "default"`,
          sendsOrDefault,
        ),
    run: async ({ account: wanted, template, language, country, allCountries = false, sendsPerPrefix }) => {
      const accounts = await operator.get(AccountsService);
      const changes = await operator.get(AuditedChanges);
      const { accountId } = await accounts.requireAccount(wanted);
      if (allCountries && country.length > 0)
        throw new AppError('INVALID_PARAMETER', { message: '--country and --all-countries cannot both be given' });
      const countries = country.length > 0 ? country : undefined;
      const settings = await new OtpChanges(operator.otp, changes).change(
        { accountId, actor: operator.actor },
        {
          template: template === undefined ? undefined : { name: template, language },
          countries: allCountries ? null : countries,
          sendsPerPrefix: sendsPerPrefix === 'default' ? null : sendsPerPrefix,
        },
      );
      return shown(accountId, settings);
    },
  });
  command<{ account: string; days: number }>(
    'otp',
    'figures',
    'Show how many one-time passwords of an account were sent, verified or failed',
    {
      options: (verb) =>
        account(verb).option('--days <n>', 'number of days, including today', wholeNumber(1, MAX_OTP_FIGURE_DAYS), 30),
      run: async ({ account: wanted, days }) => {
        const { accountId } = await (await operator.get(AccountsService)).requireAccount(wanted);
        const { total, days: byDay } = await operator.otp.getFigures({ accountId, days });
        return { accountId, ...total, days: byDay };
      },
    },
  );
}

function account(verb: Command): Command {
  return verb.requiredOption('--account <id>', 'account ID');
}

function sendsOrDefault(text: string): number | 'default' {
  if (text === 'default') return text;
  if (/^[0-9]{1,4}$/.test(text)) return wholeNumber(1, MAX_SENDS_PER_PREFIX)(text);
  throw new InvalidArgumentError(`must be a whole number from 1 to ${MAX_SENDS_PER_PREFIX}, or "default"`);
}

function shown(accountId: string, { template, countries, sendsPerPrefix }: OtpSettings): object {
  return {
    accountId,
    template: template?.name ?? null,
    language: template?.language ?? null,
    countries: countries ?? 'all',
    sendsPerPrefix,
  };
}
