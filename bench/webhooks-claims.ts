import { firstIdAt, newId } from '@switchboard/contracts';
import { dataSourceOptions, query, Transaction } from '@switchboard/database';
import { CLEANUP_STATEMENT_MS, withLongStatements } from '@switchboard/platform';
import type { PoolClient } from 'pg';
import { DataSource } from 'typeorm';
import { claimStatements } from '../apps/webhooks/src/deliveries/claims.queries';
import { quantile } from './harness/figures';
import { inForm } from './harness/form';

const STORED = inForm(1_000_000, 100_000);
const ENDPOINTS = 100;
const DUE_EACH = 50;
/** Backlog per endpoint, like that after an hour without responses. */
const LONG_LINE = 2_000;
const CLAIMS = inForm(300, 90);

export interface ClaimFigure {
  name: string;
  perSecond: number;
  p50Ms: number;
  p99Ms: number;
  ratio?: number;
}

/**
 * Measures the cost of claiming three deliveries at each of a hundred endpoints: with an empty log, with a million
 * stored deliveries, and with a long backlog at each endpoint. The cases alternate claim by claim, so that other load
 * on the machine affects them equally. Ratios are relative to the first case.
 * @param databaseUrls three databases with the webhooks schema
 */
export async function measureClaims(databaseUrls: string[]): Promise<ClaimFigure[]> {
  const [empty, full, long] = await Promise.all(databaseUrls.map(openField));
  if (!empty || !full || !long) throw new Error('three databases are needed');
  const fields = [empty, full, long];
  try {
    await withLongStatements(CLEANUP_STATEMENT_MS, () => store(full.db));
    for (const endpoint of long.endpoints) await addDue(long.db, endpoint, LONG_LINE - DUE_EACH);
    for (let claim = 0; claim < CLAIMS; claim += 1) {
      for (const field of fields) {
        if (claim % 30 === 0) await query(field.db, 'VACUUM ANALYZE pending_deliveries');
        field.times.push(await claimOnce(field));
      }
    }
    const ratio = (field: Field): number => Number((median(field) / median(empty)).toFixed(2));
    return [
      { name: `claim 300: empty log, ${DUE_EACH} due each`, ...figuresOf(empty) },
      { name: `claim 300: ${STORED} deliveries stored`, ...figuresOf(full), ratio: ratio(full) },
      { name: `claim 300: ${LONG_LINE} due each`, ...figuresOf(long), ratio: ratio(long) },
    ];
  } finally {
    await Promise.all(fields.map(({ db }) => db.destroy()));
  }
}

interface Field {
  db: DataSource;
  endpoints: Endpoint[];
  /** Duration of each claim, in milliseconds. */
  times: number[];
}

async function openField(databaseUrl: string): Promise<Field> {
  const db = new DataSource(dataSourceOptions({ schema: 'webhooks', url: databaseUrl }));
  await db.initialize();
  return { db, endpoints: await prepare(db), times: [] };
}

interface Endpoint {
  id: string;
  accountId: string;
}

async function prepare(db: DataSource): Promise<Endpoint[]> {
  const endpoints = Array.from({ length: ENDPOINTS }, () => ({ id: newId('ep'), accountId: newId('acc') }));
  for (const { id, accountId } of endpoints) {
    await query(
      db,
      `INSERT INTO endpoints (id, account_id, url, sealed_verify_token, sealed_secret, set_by) VALUES ($1, $2, 'https://example.com', '', '', $1)`,
      [id, accountId],
    );
    await addDue(db, { id, accountId }, DUE_EACH);
  }
  return endpoints;
}

async function addDue(db: DataSource, { id, accountId }: Endpoint, count: number): Promise<void> {
  const rows = Array.from({ length: count }, () => [newId('dlv'), newId('evt')]);
  await query(
    db,
    `INSERT INTO pending_deliveries (id, event_id, account_id, endpoint_id, message_id)
     SELECT dlv, evt, $3, $4, 'wamid.' || evt FROM unnest($1::text[], $2::text[]) AS row (dlv, evt)`,
    [rows.map(([dlv]) => dlv), rows.map(([, evt]) => evt), accountId, id],
  );
}

/** Stores a million deliveries of the current week for the same endpoints. */
async function store(db: DataSource): Promise<void> {
  const now = firstIdAt('dlv', new Date());
  const id = `'${now.slice(0, 14)}' || lpad(n::text, 16, '0')`;
  const endpoint = `(SELECT array_agg(id) FROM endpoints)`;
  await query(
    db,
    `INSERT INTO deliveries (id, account_id, endpoint_id, event_id, state, attempts_made, created_at, finished_at)
     SELECT ${id}, 'acc', (${endpoint})[1 + n % ${ENDPOINTS}], replace(${id}, 'dlv', 'evt'), CASE
       WHEN n % 100 = 0 THEN 'dropped' ELSE 'delivered' END, 1, now(), now()
     FROM generate_series(1, ${STORED}) AS n`,
  );
  await query(
    db,
    `INSERT INTO attempts (delivery_id, attempt, account_id, url, started_at, finished_at, duration_ms, status_code)
     SELECT id, 1, account_id, 'https://example.com', now(), now(), 20, 200 FROM deliveries`,
  );
  await query(db, 'ANALYZE deliveries, attempts');
}

/** Claims once and rolls back, so that all claims see the same rows. @returns milliseconds */
async function claimOnce({ db, endpoints }: Field): Promise<number> {
  const wanted = endpoints.map((endpoint) => ({ ...endpoint, atMost: 3 }));
  const runner = db.createQueryRunner();
  await runner.startTransaction();
  const tx = new Transaction((await runner.connect()) as PoolClient, db);
  const startedAt = performance.now();
  let claims: unknown[] = [];
  for (const [sql, params] of claimStatements(wanted, { defaultLimit: 3, holder: 1 }))
    claims = await tx.queryPrepared(sql, params);
  const took = performance.now() - startedAt;
  if (claims.length !== 3 * ENDPOINTS) throw new Error(`${claims.length} were claimed`);
  await runner.rollbackTransaction();
  await runner.release();
  return took;
}

function figuresOf(field: Field): Omit<ClaimFigure, 'name'> {
  const p50 = median(field);
  return {
    perSecond: Math.round((3 * ENDPOINTS * 1_000) / p50),
    p50Ms: Number(p50.toFixed(1)),
    p99Ms: Number(at(field, 0.99).toFixed(1)),
  };
}

function median(field: Field): number {
  return at(field, 0.5);
}

const at = ({ times }: Field, share: number): number => quantile(times, share);
