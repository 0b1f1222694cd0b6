import { Injectable } from '@nestjs/common';
import { bodyJson, type EventContract, newId, type TaskContract } from '@switchboard/contracts';
import { activity, currentWork, injectTrace } from '@switchboard/platform';
import type { PoolClient, QueryResult } from 'pg';
import { DataSource, type EntityManager } from 'typeorm';
import { batchOf, type BatchRow, columnsOf } from './batch';
import {
  type Params,
  prepared,
  sendAlone,
  sendTogether,
  type Statement,
  statementOf,
  withConnection,
} from './connection';
import { answered, committed } from './outcome';
import { OutboxMessage } from './outbox-message.entity';
import { sendStatementsBy } from './statement-runner';

/** Messages of one transaction. $1 is the trace context. */
const OUTGOING = batchOf(columnsOf(OutboxMessage, ['messageId', 'kind', 'name', 'body', 'delaySeconds']), { from: 2 });

type OutgoingMessage = BatchRow<typeof OUTGOING>;

const INSERT_OUTBOX = `
  INSERT INTO outbox (${OUTGOING.names}, headers)
  SELECT ${OUTGOING.names}, $1::jsonb FROM ${OUTGOING.unnest('message', 'position')} ORDER BY position`;

/** Returns the rows of an SQL query, including those of an UPDATE or DELETE with RETURNING. */
export async function query<Row>(executor: DataSource | Transaction, sql: string, params?: Params): Promise<Row[]> {
  // A change inside a transaction takes effect only at its commit.
  if (executor instanceof Transaction) return executor.query(sql, params);
  return ((await answered(sql, sendAlone(executor, statementOf(executor, sql, params)))).rows ?? []) as Row[];
}

/**
 * Values that the driver can always serialize. Any other value could fail here instead of on the server, which would
 * then run the statements after it.
 */
export type Param = string | number | boolean | Date | Buffer | null | undefined | readonly Param[];

/** Database transaction, together with the messages published when it commits. */
export class Transaction {
  private readonly outgoing: OutgoingMessage[] = [];
  private readonly waiting: Statement[] = [];
  private isOver = false;
  private ownManager: EntityManager | undefined;

  constructor(
    private readonly client: PoolClient,
    private readonly dataSource: DataSource,
  ) {}

  /** Returns TypeORM's entity manager inside this transaction: `tx.manager.getRepository(Account)`. */
  get manager(): EntityManager {
    this.ownManager ??= this.createManager();
    return this.ownManager;
  }

  async query<Row>(sql: string, params?: Params): Promise<Row[]> {
    return (await this.send(statementOf(this.dataSource, sql, params))).rows as Row[];
  }

  /**
   * Runs a hot statement like `query`, but each connection plans it once. Use it only for a fixed set of texts that
   * list their columns.
   */
  async queryPrepared<Row>(sql: string, params?: Params): Promise<Row[]> {
    return (await this.send(prepared(this.dataSource, sql, params))).rows as Row[];
  }

  /**
   * Queues a hot statement, as for `queryPrepared`, when its result is not needed. It is sent ahead of the next
   * statement or the commit, in the same packet. If it fails, that statement or commit fails with its error.
   */
  queue(sql: string, params: Param[] | Readonly<Record<string, Param>> = []): void {
    this.waiting.push(prepared(this.dataSource, sql, params));
  }

  /**
   * Publishes an event if the transaction commits.
   * @throws Error when the body is larger than its contract allows
   */
  publish<Body extends object>(contract: EventContract<Body>, body: Body): void {
    this.outgoing.push(outgoing(contract, body, null));
  }

  /**
   * Enqueues a task if the transaction commits.
   * @param options.delaySeconds one of the contract's delays; no delay when absent
   * @throws Error when the body is larger than its contract allows
   */
  enqueue<Body extends object>(
    contract: TaskContract<Body>,
    body: Body,
    options: { delaySeconds?: number } = {},
  ): void {
    this.outgoing.push(outgoing(contract, body, options.delaySeconds ?? null));
  }

  /**
   * @returns whether it wrote messages to the outbox
   * @throws OutcomeUnknownError when it is unknown whether the transaction was committed
   */
  async commit(): Promise<boolean> {
    const isLeaving = this.outgoing.length > 0;
    // Before the commit: if this process dies after it, another process publishes the messages.
    if (isLeaving && !currentWork().isRoutine) activity.note();
    if (isLeaving) this.queue(INSERT_OUTBOX, [JSON.stringify(injectTrace()), ...OUTGOING.parameters(this.outgoing)]);
    const { command } = await committed(this.send({ text: 'COMMIT' }));
    // The server returns ROLLBACK when the caller caught the error of an earlier failed statement.
    if (command !== 'COMMIT') throw new Error('the transaction was rolled back: one of its statements had failed');
    return isLeaving;
  }

  /** Rejects further statements, because the connection may be in use elsewhere. */
  end(): void {
    this.isOver = true;
  }

  private createManager(): EntityManager {
    const runner = sendStatementsBy(this.dataSource.createQueryRunner(), (statement) => this.send(statement));
    // TypeORM locks rows only where its runner reports an active transaction.
    return Object.assign(runner, { isTransactionActive: true }).manager;
  }

  private async send(statement: Statement): Promise<QueryResult> {
    if (this.isOver) throw new Error('the transaction is over');
    const answers = await sendTogether(this.client, [...this.waiting.splice(0), statement]);
    return answers.at(-1) as QueryResult;
  }
}

function outgoing<Body extends object>(
  contract: EventContract<Body> | TaskContract<Body>,
  body: Body,
  delaySeconds: number | null,
): OutgoingMessage {
  return {
    messageId: newId('evt'),
    kind: contract.kind,
    name: contract.name,
    body: bodyJson(contract, body),
    delaySeconds,
  };
}

/** Runs transactions and notifies the outbox relay of those that wrote messages. */
@Injectable()
export class Transactions {
  private readonly listeners: (() => void)[] = [];

  constructor(private readonly dataSource: DataSource) {}

  /**
   * Runs work in a transaction. Commits when the work returns, rolls back when it throws.
   * @throws what the work throws; OutcomeUnknownError when the response to the commit was lost
   */
  async run<T>(work: (tx: Transaction) => T | Promise<T>): Promise<T> {
    const { result, isLeaving } = await withConnection(this.dataSource, async (client) => {
      const tx = new Transaction(client, this.dataSource);
      tx.queue('BEGIN');
      try {
        return { result: await work(tx), isLeaving: await tx.commit() };
      } finally {
        tx.end();
      }
    });
    if (isLeaving) for (const listener of this.listeners) listener();
    return result;
  }

  /** Registers a listener that is called after each commit that wrote to the outbox. */
  onCommitted(listener: () => void): void {
    this.listeners.push(listener);
  }
}
