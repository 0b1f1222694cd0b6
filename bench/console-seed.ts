import { newId, idOf } from '@switchboard/contracts';
import { dataSourceOptions } from '@switchboard/database';
import { randomBytes } from 'node:crypto';
import { DataSource } from 'typeorm';
import { seedMessages, seedPeople } from './reads-seed';

const BATCH = 10_000;
const HOUR_MS = 3_600_000;
/** Time range of deliveries. Short, because only partitions for the last hours always exist. */
const DELIVERY_HOURS = 12;
const JOB_DAYS = 50;
const ROWS_OF_A_JOB = 10;
const TEMPLATE = 'order_update';

/**
 * Trigger that counts conversations row by row at commit. It is disabled during seeding, because a hundred thousand
 * rows would contend for one counter.
 */
const COUNTED_BY_ROW = 'TRIGGER conversations_counted';

/** Number of rows of each kind in an account. */
export interface AccountSize {
  messages: number;
  contacts: number;
  jobs: number;
  recipients: number;
  deliveries: number;
  /** Number of entries in the audit log, and again in the credit ledger. */
  entries: number;
}

/** Ids of rows that pages show individually. */
export interface SeededRows {
  messageId: string;
  contactId: string;
  phone: string;
  jobId: string;
  eventId: string;
  /** Id of a message that has events. */
  toldMessageId: string;
}

const INSERT_EVENTS = `
  INSERT INTO events (id, account_id, kind, message_id, subject, body, occurred_at, created_at)
  SELECT id, $1, 'message_status', message, '919812345678',
    convert_to('{"event":"message_status","status":"delivered"}', 'UTF8'), at, at
  FROM unnest($2::text[], $3::text[], $4::timestamptz[]) AS event (id, message, at)`;
const INSERT_DELIVERIES = `
  INSERT INTO deliveries (id, account_id, endpoint_id, event_id, state, attempts_made, created_at, finished_at)
  SELECT id, $1, $2, event, CASE WHEN nr % 100 = 0 THEN 'dropped' ELSE 'delivered' END, 1, at, at
  FROM unnest($3::text[], $4::text[], $5::timestamptz[]) WITH ORDINALITY AS delivery (id, event, at, nr)`;
const INSERT_ATTEMPTS = `
  INSERT INTO attempts (delivery_id, attempt, account_id, url, started_at, finished_at, duration_ms, status_code,
    error_class)
  SELECT id, 1, $1, 'https://example.com/hook', at, at, 20, CASE WHEN nr % 100 = 0 THEN 500 ELSE 200 END,
    CASE WHEN nr % 100 = 0 THEN 'status' END
  FROM unnest($2::text[], $3::timestamptz[]) WITH ORDINALITY AS attempt (id, at, nr)`;
const INSERT_JOBS = `
  INSERT INTO jobs (account_id, id, type, status, template, template_language, phone_number, total, is_open, read,
    failed, created_at, started_at, completed_at)
  SELECT $1, id, 'bulk', 'completed', $2, 'en_US', $3, total, false, total - total / 10, total / 10, at, at, at
  FROM unnest($4::text[], $5::int[], $6::timestamptz[]) AS job (id, total, at)`;
const INSERT_RECIPIENTS = `
  INSERT INTO recipients (job_id, position, account_id, phone, status, error, is_lost, accepted_at, read_at)
  SELECT job.id, position, $1, (919800000000 + position)::text, CASE WHEN position % 10 = 9 THEN 'failed' ELSE 'read' END,
    CASE WHEN position % 10 = 9 THEN '{"reason":"UPSTREAM_ERROR","code":131026,"title":"Undeliverable","message":"Undeliverable","category":"undeliverable","retriable":false}'::jsonb END,
    position % 10 = 9, now(), CASE WHEN position % 10 = 9 THEN NULL ELSE now() END
  FROM unnest($2::text[], $3::int[]) AS job (id, total), generate_series(0, total - 1) AS position`;
const INSERT_ENTRIES = [
  `INSERT INTO audit_log (id, actor, action, account_id, target, created_at)
   SELECT id, 'operator', 'key.changed', $1, 'key_01h00000000000000000000000', at
   FROM unnest($2::text[], $3::timestamptz[]) AS entry (id, at)`,
  `INSERT INTO credit_ledger (account_id, category, amount, kind, reason, created_at)
   SELECT $1, 'utility', 1, 'grant', 'a benchmark', at FROM unnest($2::text[], $3::timestamptz[]) AS entry (id, at)`,
  `UPDATE credit_balances SET balance = balance + $4 WHERE account_id = $1 AND category = 'utility'
     AND cardinality($2::text[]) = $4 AND cardinality($3::timestamptz[]) = $4`,
];

/** Inserts the rows of an account directly. Triggers maintain derived data, except for the conversation count. */
export async function seedRows(databaseUrl: string, accountId: string, size: AccountSize): Promise<SeededRows> {
  const [messaging, webhooks, jobs, gateway] = await Promise.all(
    (['messaging', 'webhooks', 'jobs', 'gateway'] as const).map((schema) =>
      new DataSource(dataSourceOptions({ schema, url: databaseUrl, poolSize: 2, statementMs: Infinity })).initialize(),
    ),
  );
  if (!messaging || !webhooks || !jobs || !gateway) throw new Error('four schemas are needed');
  try {
    const messages = await seedMessaging(messaging, accountId, size);
    const events = await seedDeliveries(webhooks, accountId, size.deliveries);
    const jobId = await seedJobs(jobs, accountId, size);
    await seedEntries(gateway, accountId, size.entries);
    return { ...messages, ...events, jobId };
  } finally {
    await Promise.all([messaging, webhooks, jobs, gateway].map((each) => each.destroy()));
  }
}

async function seedMessaging(
  db: DataSource,
  accountId: string,
  size: AccountSize,
): Promise<Pick<SeededRows, 'messageId' | 'contactId' | 'phone'>> {
  const [number] = await db.query<{ id: string }[]>('SELECT id FROM numbers WHERE account_id = $1', [accountId]);
  if (!number) throw new Error(`${accountId} has no number`);
  await db.query(`ALTER TABLE conversations DISABLE ${COUNTED_BY_ROW}`);
  const people = await seedPeople(db, accountId, size.contacts);
  await seedMessages(db, { accountId, numberId: number.id, people, messages: size.messages });
  await db.query(
    `INSERT INTO list_totals (account_id, list, slot, total)
     SELECT $1, 'conversations', 0, count(*) FROM conversations WHERE account_id = $1`,
    [accountId],
  );
  await db.query(`ALTER TABLE conversations ENABLE ${COUNTED_BY_ROW}`);
  await db.query('VACUUM ANALYZE');
  const [failed] = await db.query<{ id: string }[]>(
    "SELECT id FROM messages WHERE account_id = $1 AND state = 'failed' ORDER BY id DESC LIMIT 1",
    [accountId],
  );
  const [busy] = await db.query<{ id: string; phone: string }[]>(
    `SELECT contacts.id, contacts.phone FROM conversations JOIN contacts ON contacts.id = conversations.contact_id
     WHERE contacts.account_id = $1 ORDER BY message_count DESC LIMIT 1`,
    [accountId],
  );
  if (!failed || !busy) throw new Error('there is no failed message or no conversation');
  return { messageId: failed.id, contactId: busy.id, phone: busy.phone };
}

async function seedDeliveries(
  db: DataSource,
  accountId: string,
  count: number,
): Promise<Pick<SeededRows, 'eventId' | 'toldMessageId'>> {
  const endpointId = newId('ep');
  await db.query(
    `INSERT INTO endpoints (id, account_id, url, sealed_verify_token, sealed_secret, set_by, paused_at, paused_reason)
     VALUES ($1, $2, 'https://example.com/hook', '', '', $1, now(), 'owner')`,
    [endpointId, accountId],
  );
  let last = { eventId: '', toldMessageId: '' };
  for (const times of inBatches(count, DELIVERY_HOURS * HOUR_MS)) {
    const rows = times.map((at) => ({ at, event: idAt('evt', at), delivery: idAt('dlv', at), message: messageOf(at) }));
    const [ats, events, deliveries] = [
      rows.map(({ at }) => at),
      rows.map(({ event }) => event),
      rows.map(({ delivery }) => delivery),
    ];
    await db.query(INSERT_EVENTS, [accountId, events, rows.map(({ message }) => message), ats]);
    await db.query(INSERT_DELIVERIES, [accountId, endpointId, deliveries, events, ats]);
    await db.query(INSERT_ATTEMPTS, [accountId, deliveries, ats]);
    last = { eventId: events.at(-1) ?? '', toldMessageId: rows.at(-1)?.message ?? '' };
  }
  await db.query('VACUUM ANALYZE');
  return last;
}

async function seedJobs(db: DataSource, accountId: string, size: AccountSize): Promise<string> {
  let largest = '';
  for (const times of inBatches(size.jobs, JOB_DAYS * 24 * HOUR_MS)) {
    const ids = times.map((at) => idAt('job', at));
    largest = ids.at(-1) ?? '';
    const totals = ids.map((id) => (id === largest ? size.recipients : ROWS_OF_A_JOB));
    await db.query(INSERT_JOBS, [accountId, TEMPLATE, '15550783881', ids, totals, times]);
    await db.query(INSERT_RECIPIENTS, [accountId, ids, totals]);
  }
  await db.query('VACUUM ANALYZE');
  return largest;
}

async function seedEntries(db: DataSource, accountId: string, count: number): Promise<void> {
  await db.query("INSERT INTO credit_balances VALUES ($1, 'utility', 0) ON CONFLICT DO NOTHING", [accountId]);
  for (const times of inBatches(count, JOB_DAYS * 24 * HOUR_MS)) {
    const ids = times.map((at) => idAt('aud', at));
    const [audit, ledger, balance] = INSERT_ENTRIES;
    for (const sql of [audit, ledger]) await db.query(sql ?? '', [accountId, ids, times]);
    await db.query(balance ?? '', [accountId, ids, times, ids.length]);
  }
  await db.query('VACUUM ANALYZE');
}

/** Yields batches of timestamps spread over the time span, oldest first. */
function* inBatches(count: number, spanMs: number): Generator<Date[]> {
  const now = Date.now();
  for (let start = 0; start < count; start += BATCH) {
    const length = Math.min(BATCH, count - start);
    yield Array.from({ length }, (_, index) => new Date(now - spanMs * (1 - (start + index + 1) / count)));
  }
}

const idAt = (prefix: 'evt' | 'dlv' | 'job' | 'aud', at: Date): string => idOf(prefix, at.getTime(), randomBytes(16));

const messageOf = (at: Date): string => `wamid.${at.getTime()}`;
