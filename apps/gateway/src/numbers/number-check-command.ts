import { AccountsService } from '../accounts/accounts.service';
import { NumberConnections } from './number-connections';
import type { Console } from '../commands/console';
import type { Operator } from '../commands/operator';
import { Unfinished } from '../commands/unfinished';

export function addNumberCheckCommand({ operator, command }: Console): void {
  command<{ account: string; phoneNumber: string }>(
    'numbers',
    'check',
    'Check what a number needs to send and receive, with remedies; exit code 1 if something is missing',
    {
      options: (verb) =>
        verb
          .requiredOption('--account <id>', 'account ID')
          .requiredOption('--phone-number <digits>', 'business number, digits only'),
      run: async ({ account, phoneNumber }) => {
        const { accountId } = await (await operator.get(AccountsService)).requireAccount(account);
        const { wabaId, phoneNumberId, checks } = await connectionsOf(operator).check({ accountId, phoneNumber });
        const { numbers } = await operator.messaging.listNumbers({ accountId });
        const number = numbers.find((each) => each.phoneNumber === phoneNumber);
        const { stoppedReason: stopped = null, appHistory = null } = number ?? {};
        const result = { accountId, phoneNumber, wabaId, phoneNumberId, stoppedReason: stopped, appHistory, checks };
        const missing = checks.filter(({ state }) => state === 'missing').map(({ check }) => check);
        if (stopped !== null)
          throw new Unfinished(
            'NUMBER_STOPPED',
            `the number is stopped (${stopped}): run numbers resume, or numbers connect with a new token`,
            result,
          );
        if (missing.length > 0) throw new Unfinished('INVALID_VALUE', `missing: ${missing.join(', ')}`, result);
        return result;
      },
    },
  );
}

/** Creates the number checks from the operator's clients and settings. */
export function connectionsOf(operator: Operator): NumberConnections {
  return new NumberConnections(operator.messaging, operator.templates, operator.secretBox(), operator.config());
}
