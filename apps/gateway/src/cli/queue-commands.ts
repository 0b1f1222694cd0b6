import { type BrokerAdmin, deleteStaleQueues, type StaleQueues, staleQueues } from '@switchboard/broker';
import { AppError } from '@switchboard/contracts';
import { AuditedChanges } from '../audit-log/audited-changes';
import type { Console } from '../commands/console';
import type { Operator } from '../commands/operator';

interface PruneOptions {
  yes?: boolean;
  withMessages?: boolean;
}

/** Adds the `queues` commands, for queues whose contracts no longer exist. */
export function addQueueCommands({ operator, command }: Console): void {
  command<PruneOptions>(
    'queues',
    'prune',
    'List queues of contracts that this version no longer has; with --yes, delete them',
    {
      options: (verb) =>
        verb
          .option('--yes', 'delete the empty queues')
          .option('--with-messages', 'with --yes: also delete queues with messages; the messages are lost'),
      run: async ({ yes, withMessages = false }) => {
        const admin = brokerAdmin(operator);
        const stale = await staleQueues(admin).catch((cause: unknown) => {
          throw new AppError('UNAVAILABLE', { message: 'the queues of the broker could not be listed', cause });
        });
        if (yes !== true) return { queues: stale.map((one) => shown(one, stateOf(one, { withMessages }))) };
        const queues = [];
        for (const one of stale) queues.push(shown(one, await prune(operator, { admin, one, withMessages })));
        return { queues };
      },
    },
  );
}

/** @returns the outcome by queue */
async function prune(
  operator: Operator,
  { admin, one, withMessages }: { admin: BrokerAdmin; one: StaleQueues; withMessages: boolean },
): Promise<string> {
  const state = stateOf(one, { withMessages });
  if (state !== 'stale') return state;
  const changes = await operator.get(AuditedChanges);
  const entry = {
    actor: operator.actor,
    action: 'queues.prune',
    target: one.queue,
    details: { names: one.names, messages: one.messages },
  };
  return changes.make(entry, async () => {
    const deleted = await deleteStaleQueues(admin, one, { withMessages });
    // A consumer or a message arrived after the queues were listed.
    if (deleted.length === 0)
      throw new AppError('INVALID_VALUE', { message: `${one.queue} is in use: list the queues again` });
    return 'deleted';
  });
}

/** Describes whether the queues can be deleted, and if not, why. */
function stateOf({ messages, consumers }: StaleQueues, { withMessages }: { withMessages: boolean }): string {
  if (consumers > 0) return 'kept: a process of another version takes from it';
  return messages > 0 && !withMessages ? 'kept: it holds messages' : 'stale';
}

function shown({ queue, names, messages }: StaleQueues, state: string): object {
  return { queue, queues: names.length, messages, state };
}

function brokerAdmin(operator: Operator): BrokerAdmin {
  const {
    RABBITMQ_ADMIN_URL: url,
    RABBITMQ_MANAGEMENT_URL: managementUrl,
    BROKER_NAMESPACE: namespace,
  } = operator.config();
  if (url === undefined || managementUrl === undefined)
    throw new AppError('INVALID_PARAMETER', {
      message: "set RABBITMQ_ADMIN_URL and RABBITMQ_MANAGEMENT_URL, as the broker's set-up has them",
    });
  return { url, managementUrl, namespace };
}
