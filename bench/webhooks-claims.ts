import { newId } from '@switchboard/contracts';
import { dataSourceOptions, query, Transaction } from '@switchboard/database';
import { DataSource } from 'typeorm';
import { claimDue, lockEndpoints } from '../apps/webhooks/src/deliveries/claims.queries';
import { firstIdAt } from '../apps/webhooks/src/ordered-ids';

const STORED = 1_000_000;
const ENDPOINTS = 100;
const DUE_EACH = 50;
const CLAIMS = 300;

export interface ClaimFigure {
  name: string;
  perSecond: number;
  p50Ms: number;
  p99Ms: number;
  ratio?: number;
}

/** What it costs to claim three deliveries at each of a hundred endpoints, with an empty log and with a million stored deliveries. */
export async function measureClaims(databaseUrl: string): Promise<ClaimFigure[]> {
  const db = new DataSource(dataSourceOptions({ schema: 'webhooks', url: databaseUrl }));
  await db.initialize();
  try {
    const endpoints = await prepare(db);
    const empty = await claimOften(db, endpoints);
    await store(db);
    const full = await claimOften(db, endpoints);
    return [
      { name: 'claim 300: empty log', ...empty },
      { name: `claim 300: ${STORED} deliveries stored`, ...full, ratio: Number((full.p50Ms / empty.p50Ms).toFixed(2)) },
    ];
  } finally {
    await db.destroy();
  }
}

interface Endpoint {
  id: string;
  accountId: string;
}

async function prepare(db: DataSource): Promise<Endpoint[]> {
  const endpoints = Array.from({ length: ENDPOINTS }, () => ({ id: newId('ep'), accountId: newId('acc') }));
  for (const { id, accountId } of endpoints) {
    await query(db, `INSERT INTO endpoints (id, account_id, url, sealed_verify_token, sealed_secret, set_by) VALUES ($1, $2, 'https://example.com', '', '', $1)`, [id, accountId]);
    const rows = Array.from({ length: DUE_EACH }, () => [newId('dlv'), newId('evt')]);
    await query(
      db,
      `INSERT INTO pending_deliveries (id, event_id, account_id, endpoint_id, message_id)
       SELECT dlv, evt, $3, $4, 'wamid.' || evt FROM unnest($1::text[], $2::text[]) AS row (dlv, evt)`,
      [rows.map(([dlv]) => dlv), rows.map(([, evt]) => evt), accountId, id],
    );
  }
  await query(db, 'ANALYZE pending_deliveries');
  return endpoints;
}

/** A million of the current week, of the same endpoints. */
async function store(db: DataSource): Promise<void> {
  const now = firstIdAt('dlv', new Date());
  const id = `'${now.slice(0, 14)}' || lpad(n::text, 16, '0')`;
  const endpoint = `(SELECT array_agg(id) FROM endpoints)`;
  await query(
    db,
    `INSERT INTO deliveries (id, account_id, endpoint_id, event_id, state, attempts_made, created_at, finished_at)
     SELECT ${id}, 'acc', (${endpoint})[1 + n % ${ENDPOINTS}], replace(${id}, 'dlv', 'evt'), CASE WHEN n % 100 = 0 THEN 'dropped' ELSE 'delivered' END, 1, now(), now()
     FROM generate_series(1, ${STORED}) AS n`,
  );
  await query(
    db,
    `INSERT INTO attempts (delivery_id, attempt, account_id, url, started_at, finished_at, duration_ms, status_code)
     SELECT id, 1, account_id, 'https://example.com', now(), now(), 20, 200 FROM deliveries`,
  );
  await query(db, 'ANALYZE deliveries, attempts');
}

/** Each claim is taken back, so that all meet the same rows; dead ones are cleared before each round. */
async function claimOften(db: DataSource, endpoints: Endpoint[]): Promise<Omit<ClaimFigure, 'name'>> {
  await query(db, 'VACUUM pending_deliveries');
  const times: number[] = [];
  const wanted = endpoints.map((endpoint) => ({ ...endpoint, atMost: 3 }));
  for (let claim = 0; claim < CLAIMS; claim += 1) {
    if (claim % 30 === 0) await query(db, 'VACUUM pending_deliveries');
    const runner = db.createQueryRunner();
    await runner.startTransaction();
    const tx = new Transaction(runner.manager);
    const startedAt = performance.now();
    await lockEndpoints(tx, wanted.map(({ id }) => id));
    const claims = await claimDue(tx, wanted, { defaultLimit: 3, holder: 1 });
    times.push(performance.now() - startedAt);
    if (claims.length !== 3 * ENDPOINTS) throw new Error(`${claims.length} were claimed`);
    await runner.rollbackTransaction();
    await runner.release();
  }
  times.sort((a, b) => a - b);
  const at = (share: number): number => Number((times[Math.floor(times.length * share)] ?? NaN).toFixed(1));
  return { perSecond: Math.round((3 * ENDPOINTS * 1_000) / at(0.5)), p50Ms: at(0.5), p99Ms: at(0.99) };
}
