import {
  type EventRetentionReply,
  MAX_EVENT_DAYS,
  MAX_RETENTION_DAYS,
  type RunJobRetentionReply,
  type RunRetentionReply,
} from '@switchboard/contracts';
import type { JobsClient, MessagingClient, WebhooksClient } from '@switchboard/service-clients';
import { InvalidArgumentError } from 'commander';
import { AccountsService } from '../accounts/accounts.service';
import { AuditedChanges } from '../audit-log/audited-changes';
import { SettingsChanges } from './settings-changes';
import type { Console } from '../commands/console';
import type { Operator } from '../commands/operator';

type Days = number | 'forever';
type EventDays = number | 'default';

interface SetOptions {
  account: string;
  messageDays?: Days;
  mediaDays?: Days;
  eventDays?: EventDays;
}

interface RunOptions {
  account?: string;
  dryRun?: boolean;
}

/** Adds the `retention` commands for messages, received files, bulk jobs and webhook events. */
export function addRetentionCommands(console: Console): void {
  addShow(console);
  addSet(console);
  addRun(console);
}

function addShow({ operator, command }: Console): void {
  command<{ account: string }>(
    'retention',
    'show',
    "Show the retention of an account's messages, files and webhook events",
    {
      options: (verb) => verb.requiredOption('--account <id>', 'account ID'),
      run: async ({ account }) => {
        const accounts = await operator.get(AccountsService);
        const changes = await operator.get(AuditedChanges);
        const { accountId } = await accounts.requireAccount(account);
        const service = new SettingsChanges(operator.messaging, operator.webhooks, changes);
        const { settings, events } = await service.show(accountId);
        return shown(accountId, settings, events);
      },
    },
  );
}

function addSet({ operator, command }: Console): void {
  command<SetOptions>(
    'retention',
    'set',
    "Change the retention of an account's messages, files and webhook events; absent options stay unchanged",
    {
      options: (verb) =>
        verb
          .requiredOption('--account <id>', 'account ID')
          .option(
            '--message-days <days>',
            'days, or "forever"; also applies to files of the messages, and to bulk jobs after their end',
            days,
          )
          .option('--media-days <days>', 'days, or "forever"', days)
          .option('--event-days <days>', 'days, at most WEBHOOK_LOG_DAYS; "default" for WEBHOOK_LOG_DAYS', eventDays),
      run: async ({ account, messageDays, mediaDays, eventDays: wanted }) => {
        const accounts = await operator.get(AccountsService);
        const changes = await operator.get(AuditedChanges);
        const { accountId } = await accounts.requireAccount(account);
        const service = new SettingsChanges(operator.messaging, operator.webhooks, changes);
        const { settings, events } = await service.changeRetention(
          { accountId, actor: operator.actor },
          { messageDays: nullable(messageDays), mediaDays: nullable(mediaDays), eventDays: nullable(wanted) },
        );
        return shown(accountId, settings, events);
      },
    },
  );
}

function addRun({ operator, command, note }: Console): void {
  command<RunOptions>('retention', 'run', 'Delete expired data now instead of within the hour', {
    options: (verb) =>
      verb.option('--account <id>', 'only this account ID').option('--dry-run', 'count only, without changes'),
    run: async ({ account, dryRun = false }) => {
      const accounts = await operator.get(AccountsService);
      const changes = await operator.get(AuditedChanges);
      const accountId = account === undefined ? undefined : (await accounts.requireAccount(account)).accountId;
      const entry = { actor: operator.actor, action: 'retention.run', accountId, target: accountId ?? 'all accounts' };
      const remove = (begun: () => void) => removeAll(operator, { accountId, dryRun }, { note, begun });
      return { dryRun, ...(await (dryRun ? remove(() => undefined) : changes.make(entry, remove))) };
    },
  });
}

interface Scope {
  accountId?: string;
  dryRun: boolean;
}

interface Progress {
  note: Console['note'];
  /** Called after each step. */
  begun(): void;
}

async function removeAll(operator: Operator, scope: Scope, progress: Progress): Promise<object> {
  const messages = await removeMessages(operator.messaging, scope, progress);
  return {
    ...messages,
    ...(await removeJobs(operator.jobs, scope, progress)),
    events: await removeEvents(operator.webhooks, scope, progress),
  };
}

async function removeMessages(
  messaging: MessagingClient,
  scope: Scope,
  { note, begun }: Progress,
): Promise<Omit<RunRetentionReply, 'done'>> {
  const removed = { messages: 0, media: 0, droppedMonths: [] as string[] };
  for (let done = false; !done; ) {
    const step = await messaging.runRetention(scope);
    begun();
    removed.messages += step.messages;
    removed.media += step.media;
    removed.droppedMonths.push(...step.droppedMonths);
    done = scope.dryRun || step.done;
    if (!done) note(`${removed.messages} messages and ${removed.media} files removed so far\n`);
  }
  return removed;
}

async function removeJobs(
  jobs: JobsClient,
  scope: Scope,
  { note, begun }: Progress,
): Promise<Omit<RunJobRetentionReply, 'done'>> {
  const removed = { jobs: 0, recipients: 0 };
  for (let done = false; !done; ) {
    const step = await jobs.runJobRetention(scope);
    begun();
    removed.jobs += step.jobs;
    removed.recipients += step.recipients;
    done = scope.dryRun || step.done;
    if (!done) note(`${removed.jobs} jobs with ${removed.recipients} recipients removed so far\n`);
  }
  return removed;
}

async function removeEvents(webhooks: WebhooksClient, scope: Scope, { note, begun }: Progress): Promise<number> {
  let events = 0;
  for (let done = false; !done; ) {
    const step = await webhooks.runEventRetention(scope);
    begun();
    events += step.events;
    done = scope.dryRun || step.done;
    if (!done) note(`${events} webhook events removed so far\n`);
  }
  return events;
}

function shown(
  accountId: string,
  { messageDays, mediaDays }: { messageDays: number | null; mediaDays: number | null },
  events: EventRetentionReply,
): object {
  const { effectiveDays, eventDays: setDays } = events;
  return {
    accountId,
    messageDays: messageDays ?? 'forever',
    mediaDays: mediaDays ?? 'forever',
    eventDays: effectiveDays,
    eventDaysSet: setDays ?? 'default',
  };
}

function days(text: string): Days {
  return daysOr('forever', text, MAX_RETENTION_DAYS);
}

function eventDays(text: string): EventDays {
  return daysOr('default', text, MAX_EVENT_DAYS);
}

function daysOr<Word extends string>(word: Word, text: string, max: number): number | Word {
  if (text === word) return word;
  if (/^[0-9]{1,5}$/.test(text) && Number(text) >= 1 && Number(text) <= max) return Number(text);
  throw new InvalidArgumentError(`must be a number of days from 1 to ${max}, or "${word}"`);
}

/** Converts `ever` and `default` to null, as in the contracts, and passes on undefined. */
function nullable(given: number | string | undefined): number | null | undefined {
  return typeof given === 'string' ? null : given;
}
