import { LeaveBusinessCommand, ResumeNumberCommand } from '@switchboard/contracts';
import { Option } from 'commander';
import { AuditedChanges } from '../audit-log/audited-changes';
import { AccountsService } from '../accounts/accounts.service';
import type { Console } from '../commands/console';
import { removeNumber } from './number-removal';
import { NumberUsernames } from './number-usernames';

/** Adds the `numbers` commands, except `add`, `check` and `connect`. */
export function addNumberCommands({ operator, command }: Console): void {
  command<{ account: string }>('numbers', 'list', "List an account's business numbers, primary one first", {
    options: (verb) => verb.requiredOption('--account <id>', 'account ID'),
    run: async ({ account }) => {
      const { accountId } = await (await operator.get(AccountsService)).requireAccount(account);
      return operator.messaging.listNumbers({ accountId });
    },
  });
  command<{ account: string; phoneNumber: string; dryRun?: boolean }>(
    'numbers',
    'remove',
    'Remove a number from an account; its messages remain',
    {
      options: (verb) =>
        verb
          .requiredOption('--account <id>', 'account ID')
          .requiredOption('--phone-number <digits>', 'business number, digits only')
          .option('--dry-run', 'show the effects only, without changes'),
      run: async ({ account, phoneNumber, dryRun = false }) => {
        const { accountId } = await (await operator.get(AccountsService)).requireAccount(account);
        return { accountId, ...(await removeNumber(operator, { accountId, phoneNumber, dryRun })) };
      },
    },
  );
  command<{ account: string; phoneNumber: string }>('numbers', 'resume', 'Resume a stopped number', {
    options: (verb) =>
      verb
        .requiredOption('--account <id>', 'account ID')
        .requiredOption('--phone-number <digits>', 'business number, digits only'),
    run: async ({ account, phoneNumber }) => {
      const accounts = await operator.get(AccountsService);
      const changes = await operator.get(AuditedChanges);
      const { accountId } = await accounts.requireAccount(account);
      const entry = { actor: operator.actor, action: 'number.resume', accountId, target: phoneNumber };
      const reply = await changes.request(entry, ResumeNumberCommand, { phoneNumber }, (command) =>
        operator.messaging.resumeNumber(command),
      );
      return { accountId, ...reply };
    },
  });
  command<{ account: string; phoneNumber: string; set?: string; delete?: boolean }>(
    'numbers',
    'username',
    'Show, set or delete the user name of a number on the platform',
    {
      options: (verb) =>
        verb
          .requiredOption('--account <id>', 'account ID')
          .requiredOption('--phone-number <digits>', 'business number, digits only')
          .option('--set <username>', 'user name to set, without the @')
          .addOption(new Option('--delete', 'delete the user name').conflicts('set')),
      run: async ({ account, phoneNumber, set, delete: isDeleted }) => {
        const { accountId } = await (await operator.get(AccountsService)).requireAccount(account);
        const usernames = new NumberUsernames(operator.messaging, await operator.get(AuditedChanges));
        const isChange = set !== undefined || isDeleted === true;
        const reply = isChange
          ? await usernames.change({ accountId, actor: operator.actor }, phoneNumber, set ?? null)
          : await usernames.read(accountId, phoneNumber);
        return { accountId, ...reply };
      },
    },
  );
  command<{ account: string; wabaId: string }>(
    'numbers',
    'leave-business',
    'Stop syncing the templates of a business account in which the account has no number',
    {
      options: (verb) =>
        verb
          .requiredOption('--account <id>', 'account ID')
          .requiredOption('--waba-id <id>', 'ID of the WhatsApp Business account (WABA)'),
      run: async ({ account, wabaId }) => {
        const accounts = await operator.get(AccountsService);
        const changes = await operator.get(AuditedChanges);
        const { accountId } = await accounts.requireAccount(account);
        const entry = { actor: operator.actor, action: 'number.leave-business', accountId, target: wabaId };
        const reply = await changes.request(entry, LeaveBusinessCommand, { wabaId }, (command) =>
          operator.messaging.leaveBusiness(command),
        );
        return { accountId, ...reply };
      },
    },
  );
}
