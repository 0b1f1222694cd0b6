import { readFile } from 'node:fs/promises';
import { AppError, isDay } from '@switchboard/contracts';
import { InvalidArgumentError } from 'commander';
import { AuditedChanges } from '../audit-log/audited-changes';
import type { Console } from '../commands/console';
import { RATE_COLUMNS, readRates } from './read-rates';

/** Adds the `rates` commands for the rate card, which all accounts share. */
export function addRateCommands({ operator, command }: Console): void {
  command<{ file: string; replace?: boolean }>(
    'rates',
    'import',
    'Import a rate card as CSV: all lines or none. Rates of the same market, category and day are changed, others stay',
    {
      options: (verb) =>
        verb
          .argument('<file>', `CSV file with the columns ${RATE_COLUMNS.join(', ')}`)
          .option('--replace', 'delete the rates that are not in the file'),
      run: async ({ file, replace = false }) => {
        const rates = readRates(await readText(file));
        const changes = await operator.get(AuditedChanges);
        const details = { rates: rates.length, currency: rates[0]?.currency, replace };
        return changes.make({ actor: operator.actor, action: 'rates.import', target: 'rate card', details }, () =>
          operator.messaging.importRates({ rates, replace }),
        );
      },
    },
  );
  command<{ on?: string; all?: boolean }>('rates', 'list', 'List the rates in force', {
    options: (verb) =>
      verb
        .option('--on <day>', 'day in UTC, such as 2026-10-01; today by default', day)
        .option('--all', 'all rates, including past and future ones'),
    run: async ({ on = new Date().toISOString().slice(0, 10), all = false }) =>
      operator.messaging.listRates(all ? {} : { on }),
  });
}

async function readText(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new AppError('FILE_INVALID', { message: `${file} cannot be read: ${reason}`, cause: error });
  }
}

function day(text: string): string {
  if (isDay(text)) return text;
  throw new InvalidArgumentError('must be a day such as 2026-10-01');
}
