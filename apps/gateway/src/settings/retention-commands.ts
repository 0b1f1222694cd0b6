import {
  type EventRetentionReply,
  MAX_EVENT_DAYS,
  MAX_RETENTION_DAYS,
  type RunJobRetentionReply,
  type RunRetentionReply,
  runEventRetentionV1,
  runJobRetentionV1,
  runRetentionV1,
} from '@switchboard/contracts';
import { InvalidArgumentError } from 'commander';
import { AccountsService } from '../accounts/accounts.service';
import { AuditedChanges, type RpcClient } from '../audit-log/audited-changes';
import { SettingsChanges } from './settings-changes';
import type { Console } from '../commands/console';

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

/** `retention`: how long an account's messages, received files, bulk jobs and webhook events are kept. */
export function addRetentionCommands(console: Console): void {
  addShow(console);
  addSet(console);
  addRun(console);
}

function addShow({ operator, command }: Console): void {
  command<{ account: string }>(
    'retention',
    'show',
    "Show how many days an account's messages, files and webhook events are kept",
    {
      options: (verb) => verb.requiredOption('--account <id>', 'the account'),
      run: async ({ account }) => {
        const accounts = await operator.get(AccountsService);
        const changes = await operator.get(AuditedChanges);
        const { accountId } = await accounts.requireAccount(account);
        const { settings, events } = await new SettingsChanges(operator, changes).show(accountId);
        return shown(accountId, settings, events);
      },
    },
  );
}

function addSet({ operator, command }: Console): void {
  command<SetOptions>(
    'retention',
    'set',
    "Change how many days an account's messages, files and webhook events are kept; what is not given stays",
    {
      options: (verb) =>
        verb
          .requiredOption('--account <id>', 'the account')
          .option(
            '--message-days <days>',
            'days, or "forever"; files are removed with their messages, bulk jobs the same time after their end',
            days,
          )
          .option('--media-days <days>', 'days, or "forever"', days)
          .option('--event-days <days>', 'days, at most WEBHOOK_LOG_DAYS; "default" for WEBHOOK_LOG_DAYS', eventDays),
      run: async ({ account, messageDays, mediaDays, eventDays: wanted }) => {
        const accounts = await operator.get(AccountsService);
        const changes = await operator.get(AuditedChanges);
        const { accountId } = await accounts.requireAccount(account);
        const { settings, events } = await new SettingsChanges(operator, changes).changeRetention(
          { accountId, actor: operator.actor },
          { messageDays: nullable(messageDays), mediaDays: nullable(mediaDays), eventDays: nullable(wanted) },
        );
        return shown(accountId, settings, events);
      },
    },
  );
}

function addRun({ operator, command, note }: Console): void {
  command<RunOptions>('retention', 'run', 'Remove what is too old now instead of within the hour', {
    options: (verb) =>
      verb.option('--account <id>', 'only this account').option('--dry-run', 'only count; change nothing'),
    run: async ({ account, dryRun = false }) => {
      const accounts = await operator.get(AccountsService);
      const changes = await operator.get(AuditedChanges);
      const accountId = account === undefined ? undefined : (await accounts.requireAccount(account)).accountId;
      const entry = { actor: operator.actor, action: 'retention.run', accountId, target: accountId ?? 'all accounts' };
      const remove = (begun: () => void) => removeAll(notifyingOfAnswers(operator, begun), { accountId, dryRun }, note);
      return { dryRun, ...(await (dryRun ? remove(() => undefined) : changes.make(entry, remove))) };
    },
  });
}

interface Scope {
  accountId?: string;
  dryRun: boolean;
}

async function removeAll(rpc: RpcClient, scope: Scope, note: Console['note']): Promise<object> {
  const messages = await removeMessages(rpc, scope, note);
  return { ...messages, ...(await removeJobs(rpc, scope, note)), events: await removeEvents(rpc, scope, note) };
}

/** Asks as the other does. @param tell is called at each answer */
function notifyingOfAnswers(rpc: RpcClient, tell: () => void): RpcClient {
  return {
    request: async (command, request) => {
      const reply = await rpc.request(command, request);
      tell();
      return reply;
    },
  };
}

async function removeMessages(
  rpc: RpcClient,
  scope: Scope,
  note: Console['note'],
): Promise<Omit<RunRetentionReply, 'done'>> {
  const removed = { messages: 0, media: 0, droppedMonths: [] as string[] };
  for (let done = false; !done; ) {
    const step: RunRetentionReply = await rpc.request(runRetentionV1, scope);
    removed.messages += step.messages;
    removed.media += step.media;
    removed.droppedMonths.push(...step.droppedMonths);
    done = scope.dryRun || step.done;
    if (!done) note(`${removed.messages} messages and ${removed.media} files removed so far\n`);
  }
  return removed;
}

async function removeJobs(
  rpc: RpcClient,
  scope: Scope,
  note: Console['note'],
): Promise<Omit<RunJobRetentionReply, 'done'>> {
  const removed = { jobs: 0, recipients: 0 };
  for (let done = false; !done; ) {
    const step = await rpc.request(runJobRetentionV1, scope);
    removed.jobs += step.jobs;
    removed.recipients += step.recipients;
    done = scope.dryRun || step.done;
    if (!done) note(`${removed.jobs} jobs with ${removed.recipients} recipients removed so far\n`);
  }
  return removed;
}

async function removeEvents(rpc: RpcClient, scope: Scope, note: Console['note']): Promise<number> {
  let events = 0;
  for (let done = false; !done; ) {
    const step = await rpc.request(runEventRetentionV1, scope);
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

/** The contracts' word for ever, or for the default, is null; what is absent stays absent. */
function nullable(given: number | string | undefined): number | null | undefined {
  return typeof given === 'string' ? null : given;
}
