import { Injectable } from '@nestjs/common';
import { type Delivery, isFirstDelivery } from '@switchboard/broker';
import { type JobMessageChange, type SendJobMessagesV1 } from '@switchboard/contracts';
import { GENERIC_PLAN, genericPlanQuery, preparedQuery, type Transaction, Transactions } from '@switchboard/database';
import pLimit from 'p-limit';
import { DataSource } from 'typeorm';
import { reportHeld } from '../sends/held-sends';
import { publishFailure } from '../messages/message-events';
import { SendRepository } from '../sends/send.repository';
import type { BegunSend } from '../sends/send.queries';
import { publishJobChanges } from './job-changes';
import {
  FIND_DONE_TASK,
  FIND_JOB_MESSAGES,
  type JobMessage,
  type KnownMessage,
  LOCK_JOB_MESSAGES,
  REMOVE_UNSENT,
  OUTCOMES,
  SETTLE_JOB_MESSAGES,
} from './job-messages.queries';
import type { JobOutcome } from './job-outcome';
import type { DecidedMessage, ReadyMessage } from './job-preparation';
import { findOpenNumbers } from './open-numbers';
import { FINALS, FINISH_RESERVATIONS } from '../spend/spend.queries';
import { failUnsent, type UnsentFailure } from './unsent';

/** Keeps database connections free for single sends, however many tasks run. */
const STATEMENTS_AT_A_TIME = 2;

/** A message with a row, and the outcome of its call. */
export type TriedMessage = DecidedMessage;

export interface TaskResult {
  /** Messages that were settled before this delivery of the task. */
  known: readonly KnownMessage[];
  /** Messages that were not sent and have no row, to be retried later. */
  decided: readonly DecidedMessage[];
  tried: readonly TriedMessage[];
}

/** Writes the rows of a task's messages, each step in one statement or transaction. */
@Injectable()
export class JobMessageRepository {
  private readonly limit = pLimit(STATEMENTS_AT_A_TIME);

  constructor(
    private readonly dataSource: DataSource,
    private readonly transactions: Transactions,
    private readonly repository: SendRepository,
  ) {}

  /** Returns true if an earlier delivery of this task has stored and published its outcome. */
  async isDone({ messageId }: Delivery): Promise<boolean> {
    return (await preparedQuery(this.dataSource, FIND_DONE_TASK, [messageId])).length > 0;
  }

  /** Returns the number whose window is open for each of the recipients that have one, by phone number or user id. */
  openNumbers(
    { accountId, message, numbers = [] }: SendJobMessagesV1,
    people: readonly string[],
  ): Promise<Map<string, string>> {
    return findOpenNumbers(this.dataSource, { accountId, preferred: message.from, numbers, people });
  }

  /** Returns the task's messages whose send has already started. */
  find({ accountId, recipients }: SendJobMessagesV1): Promise<KnownMessage[]> {
    return genericPlanQuery<KnownMessage>(this.dataSource, FIND_JOB_MESSAGES, [
      accountId,
      recipients.map(({ messageId }) => messageId),
    ]);
  }

  begin(ready: readonly ReadyMessage[]): Promise<BegunSend[]> {
    return this.limit(() => this.repository.beginTogether(ready));
  }

  /**
   * Records messages that failed before they were sent, and publishes them to the account and the job in the same
   * transaction. A redelivered task finds their rows. Runs in its own transaction before the other messages are
   * settled; see `failUnsent`.
   * @returns the number of recorded messages
   */
  fail(task: SendJobMessagesV1, failures: readonly UnsentFailure[]): Promise<number> {
    if (failures.length === 0) return Promise.resolve(0);
    return this.limit(() =>
      this.transactions.run(async (tx) => {
        const { accountId, jobId } = task;
        const changes = await failUnsent(tx, task, failures);
        publishJobChanges(
          tx,
          changes.map((change) => ({ accountId, jobId, change })),
        );
        return changes.length;
      }),
    );
  }

  /**
   * Stores the outcomes of the messages and publishes them in the same transaction.
   * @returns the number of published changes
   */
  settle(task: SendJobMessagesV1, delivery: Delivery, result: TaskResult): Promise<number> {
    return this.limit(() =>
      this.transactions.run(async (tx) => {
        const { accountId, jobId } = task;
        // Marks the task as done. If two deliveries run concurrently, both publish what the rows contain.
        await isFirstDelivery(tx, delivery);
        const changes = [
          ...result.known.flatMap((row) => changeOfKnown(row, task)),
          ...result.decided.flatMap((message) => changeWithoutRow(message, task)),
          ...(await settleTried(tx, task, result.tried)),
        ];
        publishJobChanges(
          tx,
          changes.map((change) => ({ accountId, jobId, change })),
        );
        return changes.length;
      }),
    );
  }
}

async function settleTried(
  tx: Transaction,
  task: SendJobMessagesV1,
  tried: readonly TriedMessage[],
): Promise<JobMessageChange[]> {
  if (tried.length === 0) return [];
  const { accountId } = task;
  const idsOf = (messages: readonly TriedMessage[]): string[] => messages.map(({ messageId }) => messageId);
  tx.queue(GENERIC_PLAN);
  const locked = await tx.queryPrepared<Pick<JobMessage, 'id' | 'state'>>(LOCK_JOB_MESSAGES, [accountId, idsOf(tried)]);
  const unsent = tried.filter(isUnsent);
  const removed = unsent.length > 0 ? await tx.query<{ id: string }>(REMOVE_UNSENT, [accountId, idsOf(unsent)]) : [];
  const removedIds = new Set(removed.map(({ id }) => id));
  const rows = await settleCalled(
    tx,
    accountId,
    tried.filter((message) => !isUnsent(message)),
  );
  await reportHeld(
    tx,
    tried.flatMap(({ messageId, outcome }) =>
      outcome.kind === 'accepted' && outcome.heldBack ? [{ accountId, messageId, reason: outcome.heldBack }] : [],
    ),
  );
  const wasOpen = new Set(locked.filter(({ state }) => state === 'sending' || state === 'unknown').map(({ id }) => id));
  for (const row of rows) {
    if (row.state === 'failed' && row.error && wasOpen.has(row.id))
      publishFailure(tx, { ...row, failedAt: row.at }, row.error);
  }
  // If a row could not be deleted, another process is handling the message and publishes its outcome.
  return [
    ...rows.flatMap(changeOfRow),
    ...unsent
      .filter(({ messageId }) => removedIds.has(messageId))
      .flatMap((message) => changeWithoutRow(message, task)),
  ];
}

async function settleCalled(
  tx: Transaction,
  accountId: string,
  called: readonly TriedMessage[],
): Promise<JobMessage[]> {
  if (called.length === 0) return [];
  const outcomes = OUTCOMES.parameters(called, {
    id: ({ messageId }) => messageId,
    upstreamId: ({ outcome }) => (outcome.kind === 'accepted' ? outcome.upstreamId : null),
    error: ({ outcome }) => (outcome.kind === 'failed' ? outcome.error : null),
    wasReceived: ({ outcome }) => outcome.kind === 'unknown' && outcome.wasReceived,
  });
  const rows = await tx.queryPrepared<JobMessage>(SETTLE_JOB_MESSAGES, [accountId, ...outcomes]);
  const failed = rows.filter(({ state }) => state === 'failed');
  if (failed.length > 0)
    tx.queue(FINISH_RESERVATIONS, FINALS.parameters(failed.map(({ id }) => ({ messageId: id, final: '0' }))));
  return rows;
}

const isUnsent = ({ outcome: { kind } }: TriedMessage): boolean => kind === 'throttled' || kind === 'held';

/** Reports the number that sent the message if it differs from the task's, which may happen when a task is repeated. */
function changeOfKnown(row: KnownMessage, { message }: SendJobMessagesV1): JobMessageChange[] {
  return changeOfRow(row).map((change) => ({ ...change, ...(row.sender !== message.from && { from: row.sender }) }));
}

/** Publishes nothing while the outcome is unknown. */
function changeOfRow({ id, state, upstreamId, error, at }: JobMessage): JobMessageChange[] {
  if (state === 'sending' || state === 'unknown') return [];
  return [{ messageId: id, status: state, upstreamId, at: at.toISOString(), ...(state === 'failed' && { error }) }];
}

function changeWithoutRow(
  { messageId, outcome }: DecidedMessage,
  { message: { from } }: SendJobMessagesV1,
): JobMessageChange[] {
  const at = new Date().toISOString();
  const change = changeOfOutcome(outcome);
  const held = outcome.kind === 'held' && from !== undefined ? { heldNumber: from } : {};
  return change ? [{ messageId, at, ...change, ...held }] : [];
}

function changeOfOutcome(outcome: JobOutcome): Omit<JobMessageChange, 'messageId' | 'at'> | undefined {
  switch (outcome.kind) {
    case 'throttled':
      return {
        status: 'throttled',
        retryAfterMs: outcome.retryAfterMs,
        scope: outcome.scope,
        ...(outcome.from !== undefined && { from: outcome.from }),
      };
    case 'held':
      return { status: 'held', reason: outcome.reason };
    case 'accepted':
    case 'failed':
    case 'unknown':
      return undefined;
  }
}
