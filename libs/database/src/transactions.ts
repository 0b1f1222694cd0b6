import { type EventContract, newId, type TaskContract } from '@switchboard/contracts';
import { injectTrace } from '@switchboard/platform';
import type { DataSource, EntityManager } from 'typeorm';

interface OutgoingMessage {
  messageId: string;
  kind: 'event' | 'task';
  name: string;
  body: string;
  delaySeconds: number | null;
}

const INSERT_OUTBOX = `
  INSERT INTO outbox (message_id, kind, name, body, headers, delay_seconds)
  SELECT message_id, kind, name, body, $6::jsonb, delay_seconds
  FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::int[]) WITH ORDINALITY
    AS message (message_id, kind, name, body, delay_seconds, position)
  ORDER BY position`;

/** Rows of a plain SQL query; an UPDATE or DELETE with RETURNING gives its rows, too. */
export async function query<Row>(executor: DataSource | EntityManager, sql: string, params: unknown[] = []): Promise<Row[]> {
  const result: unknown = await executor.query(sql, params);
  if (!Array.isArray(result)) return [];
  // TypeORM answers UPDATE and DELETE with [rows, count].
  const isRowsAndCount = result.length === 2 && Array.isArray(result[0]) && typeof result[1] === 'number';
  return (isRowsAndCount ? result[0] : result) as Row[];
}

/** One database transaction and the messages that leave with it: both happen or neither. */
export class Transaction {
  private readonly outgoing: OutgoingMessage[] = [];

  constructor(readonly manager: EntityManager) {}

  query<Row>(sql: string, params: unknown[] = []): Promise<Row[]> {
    return query<Row>(this.manager, sql, params);
  }

  /**
   * Like `query`, for a hot statement that takes longer to plan than to run: each connection plans it once.
   * @param name stands for this text on every connection; it must never stand for another
   */
  async queryPrepared<Row>(name: string, sql: string, params: unknown[]): Promise<Row[]> {
    // TypeORM hands out the driver's own client, whose way this is; it holds the transaction already.
    const client = (await this.manager.queryRunner?.connect()) as { query(config: object): Promise<{ rows: Row[] }> };
    return (await client.query({ name, text: sql, values: params })).rows;
  }

  /** A fact that is published when, and only when, the transaction commits. */
  publish<Body extends object>(contract: EventContract<Body>, body: Body): void {
    this.outgoing.push(outgoing('event', contract.name, body, null));
  }

  /**
   * An order that is handed over when, and only when, the transaction commits.
   * @param options.delaySeconds one of the contract's delays; at once when absent
   */
  enqueue<Body extends object>(contract: TaskContract<Body>, body: Body, options: { delaySeconds?: number } = {}): void {
    this.outgoing.push(outgoing('task', contract.name, body, options.delaySeconds ?? null));
  }

  /** @returns whether any message was written */
  async writeOutbox(): Promise<boolean> {
    if (this.outgoing.length === 0) return false;
    await this.queryPrepared('insert_outbox', INSERT_OUTBOX, [
      this.outgoing.map(({ messageId }) => messageId),
      this.outgoing.map(({ kind }) => kind),
      this.outgoing.map(({ name }) => name),
      this.outgoing.map(({ body }) => body),
      this.outgoing.map(({ delaySeconds }) => delaySeconds),
      JSON.stringify(injectTrace()),
    ]);
    return true;
  }
}

function outgoing(kind: 'event' | 'task', name: string, body: object, delaySeconds: number | null): OutgoingMessage {
  return { messageId: newId('evt'), kind, name, body: JSON.stringify(body), delaySeconds };
}

/** Runs transactions and tells the outbox relay about those that left messages. */
export class Transactions {
  private readonly listeners: (() => void)[] = [];

  constructor(private readonly dataSource: DataSource) {}

  /** Commits when the work returns, rolls back when it throws. */
  async run<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    let wrote = false;
    const result = await this.dataSource.transaction(async (manager) => {
      const tx = new Transaction(manager);
      const outcome = await work(tx);
      wrote = await tx.writeOutbox();
      return outcome;
    });
    if (wrote) for (const listener of this.listeners) listener();
    return result;
  }

  /** The listener is called after each commit that wrote to the outbox. */
  onCommitted(listener: () => void): void {
    this.listeners.push(listener);
  }
}
