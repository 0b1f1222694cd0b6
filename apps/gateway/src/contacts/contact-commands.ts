import {
  AppError,
  EraseContactCommand,
  maskPhone,
  parseBody,
  requirePlainName,
  UpdateContactCommand,
} from '@switchboard/contracts';
import { InvalidArgumentError } from 'commander';
import { DataSource } from 'typeorm';
import { AuditedChanges } from '../audit-log/audited-changes';
import { AccountsService } from '../accounts/accounts.service';
import type { Console } from '../commands/console';
import { PersonEraser } from './erase-person';

interface SetOptions {
  account: string;
  phone: string;
  name?: string;
  optedOut?: boolean;
  marketingOptOut?: boolean;
  blocked?: boolean;
}

interface EraseOptions {
  account: string;
  phone: string;
  dryRun?: boolean;
  yes?: boolean;
}

/** Explanations of the counts of an erasure. */
const ERASED = {
  dryRun: 'true: counted only, nothing was changed',
  events: 'webhook events that name the contact',
  recipients: 'rows of bulk jobs',
  codes: 'rows of one-time passwords',
  messages: 'messages to and from the contact, with their texts',
  media: 'stored files of these messages',
  callbacks: 'stored upstream callbacks; some also name other contacts, whose records there are deleted too',
  answers: 'stored responses in which the number is masked',
};

/** Adds the `contacts` commands for opt-outs and erasure. The audit log contains no full phone number. */
export function addContactCommands({ operator, command, note, confirm }: Console): void {
  command<SetOptions>('contacts', 'set', 'Change a contact of an account; absent options stay unchanged', {
    options: (verb) =>
      verb
        .requiredOption('--account <id>', 'account ID')
        .requiredOption('--phone <digits>', 'phone number of the contact, digits only, or user ID')
        .option('--name <name>', 'name of the contact; empty removes it')
        .option('--opted-out <yes|no>', 'reject marketing templates to the contact', yesOrNo)
        .option('--marketing-opt-out <yes|no>', 'the same, as the contact told the upstream platform', yesOrNo)
        .option('--blocked <yes|no>', 'reject all messages to the contact', yesOrNo),
    run: async ({ account, phone, ...wanted }) => {
      const accounts = await operator.get(AccountsService);
      const changes = await operator.get(AuditedChanges);
      const { accountId } = await accounts.requireAccount(account);
      const { name, ...flags } = wanted;
      requirePlainName(name ?? '');
      const details = { ...flags, ...(name !== undefined && { name: 'changed' }) };
      const entry = { actor: operator.actor, action: 'contact.set', accountId, target: maskPhone(phone), details };
      const { contact, blocked } = await changes.request(entry, UpdateContactCommand, { phone, ...wanted }, (command) =>
        operator.messaging.updateContact(command),
      );
      const { id, phone: stored, userId, name: shown, optedOut, marketingOptOut } = contact;
      return { id, phone: stored, userId, name: shown, optedOut, marketingOptOut, blocked };
    },
  });
  command<EraseOptions>(
    'contacts',
    'erase',
    'Erase a contact: messages, files, webhook events, stored callbacks, job recipients, one-time codes, the contact and its opt-out',
    {
      options: (verb) =>
        verb
          .requiredOption('--account <id>', 'account ID')
          .requiredOption('--phone <digits>', 'phone number of the contact, digits only, or user ID')
          .option('--dry-run', 'count only, without changes')
          .option('--yes', 'skip the confirmation'),
      legend: ERASED,
      run: async ({ account, phone, dryRun = false, yes = false }) => {
        const accounts = await operator.get(AccountsService);
        const changes = await operator.get(AuditedChanges);
        const dataSource = await operator.get(DataSource);
        const { accountId } = await accounts.requireAccount(account);
        const request = parseBody(EraseContactCommand, { accountId, phone, dryRun });
        const entry = { actor: operator.actor, action: 'contact.erase', accountId, target: maskPhone(phone) };
        const { messaging, otp, jobs, webhooks } = operator;
        const eraser = new PersonEraser(messaging, otp, jobs, webhooks, dataSource);
        const erase = (begun: () => void) => eraser.erase(request, { note, begun });
        if (
          !dryRun &&
          !yes &&
          !(await confirm(`Erase all that this account holds about ${phone}? This cannot be undone. [yes/no] `))
        )
          throw new AppError('INVALID_PARAMETER', { message: 'nothing was erased' });
        const { erased } = await (dryRun ? erase(() => undefined) : changes.make(entry, erase));
        return { accountId, dryRun, ...erased };
      },
    },
  );
}

function yesOrNo(text: string): boolean {
  if (text === 'yes' || text === 'no') return text === 'yes';
  throw new InvalidArgumentError('must be yes or no');
}
