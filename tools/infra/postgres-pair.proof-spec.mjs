// @ts-check
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '../lib/wait.mjs';
import { withClient } from './postgres-login.mjs';
import { startPostgresPair } from './postgres-pair.mjs';

jest.setTimeout(300_000);

const dir = mkdtempSync(join(tmpdir(), 'switchboard-pair-'));
/** @type {import('./postgres-pair.mjs').PostgresPair} */
let pair;

beforeAll(async () => {
  pair = await startPostgresPair({ dir });
  await query('CREATE TABLE kept (value int)');
});
afterAll(async () => {
  await pair?.stop();
  rmSync(dir, { recursive: true, force: true });
});

test('a pair replicates a committed row to the standby', async () => {
  await query('INSERT INTO kept VALUES (1)');
  await eventually('the row', async () => (await query('SELECT FROM kept', pair.standby.url)).length === 1, {
    timeoutMs: 10_000,
  });
});

test('loses no commit when the primary is killed and the standby promoted', async () => {
  const killed = pair.primary.url;
  await query('INSERT INTO kept VALUES (2)');
  await pair.killPrimary();
  await pair.promote();
  expect(pair.standby.url).toBe(killed);
  expect(await query('SELECT value FROM kept ORDER BY value')).toEqual([{ value: 1 }, { value: 2 }]);
});

test('accepts commits after the promotion without a standby', async () => {
  await query('INSERT INTO kept VALUES (3)');
});

test('rejoins the old primary as the synchronous standby', async () => {
  await pair.rejoin();
  expect(await query('SELECT sync_state FROM pg_stat_replication')).toEqual([{ sync_state: 'quorum' }]);
  expect(await query('SELECT pg_is_in_recovery() AS standby', pair.standby.url)).toEqual([{ standby: true }]);
});

test('blocks a commit while the standby is down', async () => {
  await pair.standby.kill9();
  const committed = query('INSERT INTO kept VALUES (4)');
  await eventually('the commit to wait', async () => (await waiting()).length > 0, { timeoutMs: 10_000 });
  await pair.standby.start();
  await committed;
});

test('blocks commits after a promotion that waits for a standby', async () => {
  await pair.promote({ waitForStandby: true });
  const committed = query('INSERT INTO kept VALUES (5)');
  await eventually('the commit to wait', async () => (await waiting()).length > 0, { timeoutMs: 10_000 });
  await pair.rejoin();
  await committed;
});

test('retains its roles and its data across a restart', async () => {
  await pair.killPrimary();
  await pair.promote();
  await query('INSERT INTO kept VALUES (6)');
  await pair.stop();
  pair = await startPostgresPair({ dir });
  expect(await query('SELECT count(*)::int FROM kept')).toEqual([{ count: 6 }]);
  expect(await query('SELECT sync_state FROM pg_stat_replication')).toEqual([{ sync_state: 'quorum' }]);
});

function query(/** @type {string} */ text, url = pair.url) {
  return withClient(url, async (client) => (await client.query(text)).rows);
}

/** Returns the sessions that wait for the standby. */
function waiting() {
  return query("SELECT FROM pg_stat_activity WHERE wait_event = 'SyncRep'", pair.primary.url);
}
