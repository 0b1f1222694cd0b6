import { deadLetterCounts, listDeadLetters, readDeadLetter, returnDeadLetters } from '@switchboard/broker';
import { AppError } from '@switchboard/contracts';
import type { Command } from 'commander';
import { Transactions } from '@switchboard/database';
import { AuditedChanges } from '../audit-log/audited-changes';
import { recordAudit } from '../audit-log/audit-log';
import { collect, type Console, wholeNumber } from '../commands/console';
import type { Operator } from '../commands/operator';

interface SendBackOptions {
  queue: string;
  message: string[];
  all?: boolean;
  limit: number;
}

/** Adds the `dead-letters` commands, for messages that no service could process. */
export function addDeadLetterCommands({ operator, command }: Console): void {
  command<{ queue?: string; limit: number }>(
    'dead-letters',
    'list',
    'List dead letters of a queue, or the queues that have any',
    {
      options: (verb) => limit(verb.option('--queue <queue>', 'queue name, as listed without this option')),
      run: async ({ queue, limit: most }) => {
        if (queue === undefined)
          return { queues: (await deadLetterCounts(broker(operator))).filter(({ count }) => count > 0) };
        await requireQueue(operator, queue);
        return { queue, deadLetters: await listDeadLetters(broker(operator), queue, most) };
      },
    },
  );
  command<{ queue: string; message: string; limit: number }>(
    'dead-letters',
    'show',
    'Show one dead letter with its body, which may contain personal data',
    {
      options: (verb) =>
        limit(queueOption(verb).requiredOption('--message <id>', 'messageId of the dead letter, as listed')),
      run: async ({ queue, message, limit: most }) => {
        await requireQueue(operator, queue);
        const letter = await readDeadLetter(broker(operator), queue, { messageId: message, limit: most });
        if (!letter)
          throw new AppError('NOT_FOUND', {
            message: `not found: among the oldest ${most} dead letters of ${queue} there is no message ${message}`,
          });
        const transactions = await operator.get(Transactions);
        const entry = {
          actor: operator.actor,
          action: 'dead-letter.show',
          target: queue,
          details: { messageId: message },
        };
        await transactions.run((tx) => recordAudit(tx, entry));
        return { queue, ...letter };
      },
    },
  );
  command<SendBackOptions>('dead-letters', 'send-back', 'Return dead letters to their queue for another attempt', {
    options: (verb) =>
      limit(
        queueOption(verb)
          .option('--message <id>', 'messageId; repeatable', collect, [])
          .option('--all', 'all within --limit'),
      ),
    run: async ({ queue, message, all, limit: most }) => {
      if (message.length > 0 === (all === true))
        throw new AppError('MISSING_FIELD', { message: 'give --message <id> or --all' });
      await requireQueue(operator, queue);
      const messageIds = all ? undefined : message;
      const changes = await operator.get(AuditedChanges);
      const details = { messageIds: messageIds ?? 'all', limit: most };
      const entry = { actor: operator.actor, action: 'dead-letters.sent-back', target: queue, details };
      const sendBack = () => returnDeadLetters(broker(operator), queue, { messageIds, limit: most });
      return { queue, sentBack: await changes.make(entry, sendBack) };
    },
  });
}

function queueOption(verb: Command): Command {
  return verb.requiredOption('--queue <queue>', 'queue name (dead-letters list)');
}

function limit(verb: Command): Command {
  return verb.option('--limit <n>', 'number of dead letters to scan, oldest first', wholeNumber(1, 10_000), 100);
}

function broker(operator: Operator): { url: string; namespace: string } {
  const { RABBITMQ_URL: url, BROKER_NAMESPACE: namespace } = operator.config();
  return { url, namespace };
}

/** Checks the queue name before the operation, since the broker's error for an unknown queue is less clear. */
async function requireQueue(operator: Operator, queue: string): Promise<void> {
  const known = await deadLetterCounts(broker(operator));
  if (!known.some((found) => found.queue === queue))
    throw new AppError('NOT_FOUND', {
      message: `not found: no queue ${queue} has dead letters (dead-letters list shows which)`,
    });
}
