import { Inject, Injectable } from '@nestjs/common';
import type { Delivery } from '@switchboard/broker';
import type { FailJobMessagesV1, SendJobMessagesV1 } from '@switchboard/contracts';
import { Transactions } from '@switchboard/database';
import { counter, LOGGER, type Logger } from '@switchboard/platform';
import { JobMessageRepository, type TaskResult } from './job-message.repository';
import { outcomeOfRefusal, sentFrom } from './job-outcome';
import { type DecidedMessage, JobPreparation, type ReadyMessage } from './job-preparation';
import { type BegunMessage, JobSender } from './job-sender';
import { failUnsent, type UnsentFailure } from './unsent';

const counted = counter(
  'messaging_job_messages_total',
  'Messages of jobs by what their task came to: accepted, failed, unknown, throttled, held',
  { outcome: ['accepted', 'failed', 'unknown', 'throttled', 'held'] },
);

/**
 * Sends messages of bulk jobs. As with single sends, the row is written before the call. A message with a row from an
 * earlier delivery or a dead process is not sent again here. Callbacks or the reconciler settle rows without an
 * outcome.
 */
@Injectable()
export class JobMessagesService {
  constructor(
    private readonly preparation: JobPreparation,
    private readonly repository: JobMessageRepository,
    private readonly sender: JobSender,
    private readonly transactions: Transactions,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** @throws Error for internal failures: the task is then redelivered and finds the existing rows */
  async sendMessages(task: SendJobMessagesV1, delivery: Delivery): Promise<void> {
    const startedAt = performance.now();
    if (await this.repository.isDone(delivery)) return;
    const known = await this.repository.find(task);
    const knownIds = new Set(known.map(({ id }) => id));
    const fresh = task.recipients.filter(({ messageId }) => !knownIds.has(messageId));
    const { ready, decided } = await this.preparation.prepare(task, fresh);
    const sent = await this.sendReady(task, ready);
    const all = [...decided, ...sent.decided];
    const failed = await this.repository.fail(task, failuresOf(task, all));
    const result = { known, decided: all.filter(({ outcome }) => outcome.kind !== 'failed'), tried: sent.tried };
    const changes = failed + (await this.repository.settle(task, delivery, result));
    this.log(task, { ...result, decided: all }, { changes, durationMs: Math.round(performance.now() - startedAt) });
  }

  /** Records messages that their job will not send. A message that already has a row keeps it. */
  async failMessages({ error, ...task }: FailJobMessagesV1): Promise<void> {
    const failures = task.recipients.map((recipient) => ({ recipient, error }));
    const recorded = await this.transactions.run((tx) => failUnsent(tx, task, failures));
    const { accountId, jobId, recipients } = task;
    this.logger.info(
      {
        accountId,
        jobId,
        recipients: recipients.length,
        recorded: recorded.length,
        messageIds: recorded.map(({ messageId }) => messageId),
      },
      'job-messages.failed',
    );
  }

  private async sendReady(
    task: SendJobMessagesV1,
    ready: readonly ReadyMessage[],
  ): Promise<Pick<TaskResult, 'decided' | 'tried'>> {
    if (ready.length === 0) return { decided: [], tried: [] };
    const { here, decided } = await this.chooseNumbers(task, ready);
    if (here.length === 0) return { decided, tried: [] };
    // Fix the deadline before writing the rows, because the reconciler's grace period starts at their times.
    const until = this.sender.deadline();
    const begun = await this.repository.begin(here);
    const messages: BegunMessage[] = [];
    const closed: ReadyMessage[] = [];
    begun.forEach((row, index) => {
      const each = here[index];
      if (!each) return;
      const { messageId } = each.facts;
      if (row.refusal === 'window-closed') closed.push(each);
      else if (row.refusal) decided.push({ messageId, outcome: outcomeOfRefusal(row.refusal, row.capReason) });
      // If no row was inserted, another delivery of the task has just started the message.
      else if (row.inserted) messages.push({ ready: each, begun: row });
    });
    const tried = await this.sender.sendAll(messages, until);
    // A window may have closed since the numbers were chosen.
    const late = await this.chooseNumbers(task, closed);
    const failed = late.here.map(({ facts: { messageId } }) => ({
      messageId,
      outcome: outcomeOfRefusal('window-closed'),
    }));
    return { decided: [...decided, ...late.decided, ...failed], tried };
  }

  /**
   * Returns recipients to the job that have an open window only with another of its numbers. The other recipients are
   * sent to from this task's number, subject to the window policy. Templates need no window.
   */
  private async chooseNumbers(
    task: SendJobMessagesV1,
    messages: readonly ReadyMessage[],
  ): Promise<{ here: ReadyMessage[]; decided: DecidedMessage[] }> {
    if (task.message.type === 'template' || !task.numbers) return { here: [...messages], decided: [] };
    const people = messages.map(({ facts: { message } }) => message.to);
    const numbers = await this.repository.openNumbers(task, people);
    const here: ReadyMessage[] = [];
    const decided: DecidedMessage[] = [];
    for (const each of messages) {
      const { messageId, message } = each.facts;
      const number = numbers.get(message.to) ?? message.from;
      if (number === undefined || number === message.from) here.push(each);
      else decided.push({ messageId, outcome: sentFrom(number) });
    }
    return { here, decided };
  }

  private log(
    { accountId, jobId, recipients }: SendJobMessagesV1,
    { known, decided, tried }: TaskResult,
    facts: object,
  ): void {
    const outcomes: Record<string, number> = {};
    for (const { outcome } of [...decided, ...tried]) {
      outcomes[outcome.kind] = (outcomes[outcome.kind] ?? 0) + 1;
      counted.inc({ outcome: outcome.kind });
    }
    this.logger.info(
      {
        accountId,
        jobId,
        recipients: recipients.length,
        known: known.length,
        ...outcomes,
        ...facts,
        messageIds: recipients.map(({ messageId }) => messageId),
      },
      'job-messages.sent',
    );
  }
}

function failuresOf({ recipients }: SendJobMessagesV1, decided: readonly DecidedMessage[]): UnsentFailure[] {
  const byId = new Map(recipients.map((recipient) => [recipient.messageId, recipient]));
  return decided.flatMap(({ messageId, outcome }) => {
    const recipient = byId.get(messageId);
    return outcome.kind === 'failed' && recipient ? [{ recipient, error: outcome.error }] : [];
  });
}
