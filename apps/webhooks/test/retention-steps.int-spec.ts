import { newId } from '@switchboard/contracts';
import { query } from '@switchboard/database';
import { Loops } from '@switchboard/platform';
import pg from 'pg';
import { OrderedIds } from '../src/ordered-ids';
import { partitionsToKeepReady, weekOf } from '../src/retention/partitions';
import { Retention } from '../src/retention/retention';
import { Harness } from './harness';

const DAY_MS = 24 * 3_600_000;
const at = (days: number): Date => new Date(Date.now() + days * DAY_MS);

describe('retention steps', () => {
  let harness: Harness;
  let retention: Retention;

  beforeAll(async () => {
    harness = await Harness.start({ WEBHOOK_LOG_DAYS: 10 });
    const { app } = harness.service();
    // Stop the service's own runs, because two runs never do a step at the same time.
    await app.get(Loops).beforeApplicationShutdown();
    retention = app.get(Retention);
  }, 60_000);

  afterAll(() => harness.stop(), 60_000);

  const sql = <Row>(text: string, params: unknown[] = []): Promise<Row[]> =>
    query<Row>(harness.database.dataSource, text, params);

  /** Stores an event with its delivery and attempt, as by a process whose clock shows the given time. */
  async function storeAt(time: Date): Promise<string> {
    const accountId = newId('acc');
    const ids = new OrderedIds(() => time.getTime());
    const [event, delivery] = [ids.next('evt'), ids.next('dlv')];
    await sql(`INSERT INTO events (id, account_id, kind, body, occurred_at) VALUES ($1, $2, 'message', '{}', $3)`, [
      event,
      accountId,
      time,
    ]);
    await sql(
      `INSERT INTO deliveries (id, account_id, endpoint_id, event_id, state, attempts_made, created_at, finished_at)
       VALUES ($1, $2, 'ep_1', $3, 'delivered', 1, $4, $4)`,
      [delivery, accountId, event, time],
    );
    await sql(`INSERT INTO attempts (delivery_id, attempt, account_id, url, started_at) VALUES ($1, 1, $2, '', $3)`, [
      delivery,
      accountId,
      time,
    ]);
    return accountId;
  }

  /** Returns the partitions that contain an account's rows. */
  const placesOf = async (accountId: string): Promise<string[]> => {
    const tables = ['attempts', 'deliveries', 'events'].map(
      (table) => `SELECT tableoid::regclass::text AS place FROM ${table} WHERE account_id = $1`,
    );
    return (await sql<{ place: string }>(tables.join(' UNION ALL '), [accountId])).map(({ place }) => place);
  };
  const partsOf = (time: Date): string[] =>
    ['attempts', 'deliveries', 'events'].map((table) => `${table}_${weekOf(time).name}`);

  it('moves early events into their week and keeps dropping old weeks', async () => {
    const time = at(40);
    const accountId = await storeAt(time);
    const old = await storeAt(at(0));
    expect(await placesOf(accountId)).toEqual(['attempts_default', 'deliveries_default', 'events_default']);
    await retention.keepUp(at(21));
    expect(await placesOf(accountId)).toEqual(partsOf(time));
    expect(await placesOf(old)).toEqual([]);
    const [plan] = await sql<{ ready: string[] }>(
      `SELECT array_agg(inhrelid::regclass::text) AS ready FROM pg_inherits WHERE inhparent = ANY(ARRAY['attempts', 'deliveries', 'events']::regclass[])`,
    );
    const wanted = partitionsToKeepReady({ from: at(21), now: at(21) }).map(({ name }) => name);
    expect(plan?.ready).toEqual(expect.arrayContaining(wanted));
  });

  it('runs the other steps when one fails, and reports the failure', async () => {
    const reader = new pg.Client({ connectionString: harness.database.url });
    await reader.connect();
    const time = at(30);
    const accountId = await storeAt(time);
    const [attempts] = partsOf(time);
    await reader.query(`BEGIN; SELECT count(*) FROM webhooks.${attempts}`);
    await expect(retention.keepUp(at(60))).rejects.toThrow('lock timeout');
    expect(await placesOf(accountId)).toEqual([attempts]);
    expect(await sql('SELECT to_regclass($1) AS there', [`events_${weekOf(at(81)).name}`])).not.toEqual([
      { there: null },
    ]);
    await reader.end();
    await retention.keepUp(at(60));
    expect(await placesOf(accountId)).toEqual([]);
  });
});
