import { Controller } from '@nestjs/common';
import { Payload } from '@nestjs/microservices';
import { CommandHandler } from '@switchboard/broker';
import { ErasePersonCommand, type ErasePersonReply, erasePersonV1, PERSONAL_EVENT_KINDS } from '@switchboard/contracts';
import { query, type Transaction, Transactions } from '@switchboard/database';
import { DataSource } from 'typeorm';

/** Maximum number of events per step. */
const ERASE_LIMIT = 1_000;
const PERSONAL_KINDS = PERSONAL_EVENT_KINDS.map((kind) => `'${kind}'`).join(', ');

/** Counts an account's events about a contact, by any of the contact's identifiers. */
async function countEventsAbout(db: DataSource, accountId: string, names: readonly string[]): Promise<number> {
  const sql = `SELECT count(*)::int AS count FROM events WHERE account_id = $1 AND subject = ANY ($2) AND kind IN (${PERSONAL_KINDS})`;
  const [row] = await query<{ count: number }>(db, sql, [accountId, names]);
  return row?.count ?? 0;
}

/** Locks the events, so that no replay queues them again meanwhile. */
const LOCK = `
  SELECT id FROM events WHERE account_id = $1 AND subject = ANY ($2) AND kind IN (${PERSONAL_KINDS})
    ORDER BY id LIMIT ${ERASE_LIMIT}
  FOR UPDATE`;
const ENDPOINTS = 'ARRAY(SELECT id FROM endpoints WHERE account_id = $1)';

/**
 * Erases a batch of events with their deliveries and attempts.
 * @returns the number of erased events
 */
async function eraseEventsAbout(tx: Transaction, accountId: string, names: readonly string[]): Promise<number> {
  const ids = (await tx.query<{ id: string }>(LOCK, [accountId, names])).map(({ id }) => id);
  if (ids.length === 0) return 0;
  await tx.query(
    `DELETE FROM attempts a USING delivery_log d
     WHERE d.account_id = $1 AND d.endpoint_id = ANY(${ENDPOINTS}) AND d.event_id = ANY($2) AND a.delivery_id = d.id`,
    [accountId, ids],
  );
  await tx.query(
    `DELETE FROM pending_deliveries WHERE account_id = $1 AND endpoint_id = ANY(${ENDPOINTS}) AND event_id = ANY($2)`,
    [accountId, ids],
  );
  await tx.query(
    `DELETE FROM deliveries WHERE account_id = $1 AND endpoint_id = ANY(${ENDPOINTS}) AND event_id = ANY($2)`,
    [accountId, ids],
  );
  await tx.query('DELETE FROM events WHERE account_id = $1 AND id = ANY($2)', [accountId, ids]);
  return ids.length;
}

@Controller()
export class EraseController {
  constructor(
    private readonly dataSource: DataSource,
    private readonly transactions: Transactions,
  ) {}

  @CommandHandler(erasePersonV1)
  async erasePerson(
    @Payload() { accountId, phone, alsoKnownAs = [], dryRun }: ErasePersonCommand,
  ): Promise<ErasePersonReply> {
    const names = [phone, ...alsoKnownAs];
    if (dryRun) return { events: await countEventsAbout(this.dataSource, accountId, names), done: true };
    const events = await this.transactions.run((tx) => eraseEventsAbout(tx, accountId, names));
    return { events, done: events < ERASE_LIMIT };
  }
}
