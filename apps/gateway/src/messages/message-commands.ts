import { AppError, isId, parseBody, ShowMessageCommand } from '@switchboard/contracts';
import { DataSource } from 'typeorm';
import { AccountsService } from '../accounts/accounts.service';
import { listAudit } from '../audit-log/audit-log';
import type { Console } from '../commands/console';
import { jobOf, webhooksOf } from './message-story';

/** Period in milliseconds after a message's creation in which its audit entries are searched. */
const AUDIT_SPAN_MS = 600_000;
const AUDIT_ENTRIES = 10;
/** Format of upstream message ids, which no internal id has. */
const UPSTREAM_ID = /^wamid\.\S{1,249}$/;

/**
 * Adds `messages show`, which prints what every service knows about a message, without its content or full phone
 * numbers.
 */
export function addMessageCommands({ operator, command }: Console): void {
  command<{ id: string }>(
    'messages',
    'show',
    'Show a message of any account with its request, statuses, bulk job, webhook events and attempts, without its content',
    {
      options: (verb) => verb.argument('<id>', 'message ID (msg_…) or upstream ID (wamid.…)'),
      legend: {
        message: 'afterMs: milliseconds since creation',
        request: 'user who sent it from the dashboard; for the API key, search the gateway log by messageId',
      },
      run: async ({ id }) => {
        if (!isId('msg', id) && !UPSTREAM_ID.test(id))
          throw new AppError('INVALID_PARAMETER', { message: `${JSON.stringify(id)} is no id: give msg_… or wamid.…` });
        const { messages } = await operator.messaging.showMessage(parseBody(ShowMessageCommand, { id }));
        const [message, ...others] = messages;
        if (!message)
          throw new AppError('NOT_FOUND', { message: `not found: no account has a message ${id}, or it was deleted` });
        if (others.length > 0) {
          const found = messages.map((each) => `${each.id} of ${each.accountId}`).join(', ');
          throw new AppError('INVALID_PARAMETER', { message: `several messages have this id, give one of: ${found}` });
        }
        const { accountId, statuses, jobId, ...facts } = message;
        const accounts = await operator.get(AccountsService);
        const dataSource = await operator.get(DataSource);
        const { name } = await accounts.requireAccount(accountId);
        const since = new Date(facts.createdAt);
        const until = new Date(since.getTime() + AUDIT_SPAN_MS);
        const audit = { accountId, target: facts.id, since, until, limit: AUDIT_ENTRIES };
        const { entries } = await listAudit(dataSource, audit);
        return {
          account: { accountId, name },
          message: { ...facts, jobId, statuses },
          request: { audit: entries.map(({ at, actor, action, outcome }) => ({ at, actor, action, outcome })) },
          job: jobId === null ? null : await jobOf(operator.jobs, accountId, jobId),
          webhooks: await webhooksOf(operator.webhooks, message),
        };
      },
    },
  );
}
