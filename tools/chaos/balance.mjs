// @ts-check
import { setTimeout as delay } from 'node:timers/promises';
import { withClient } from '../infra/postgres-login.mjs';

/** @typedef {import('./installation.mjs').Installation} Installation */

const LOOK_EVERY_MS = 20;

/**
 * Reads an account's balance and the sum of its ledger from a single snapshot.
 * @returns {Promise<{ balance: number, ledger: number }>}
 */
export async function readBalance(/** @type {Installation} */ { databaseUrl }, /** @type {string} */ accountId) {
  return withClient(databaseUrl, (client) => balanceOf(client, accountId));
}

/**
 * Runs `work` while polling an account's balance and ledger.
 * @template T
 * @param {Installation} installation
 * @param {string} accountId
 * @param {() => Promise<T>} work
 * @returns {Promise<{ result: T, looks: number, negative: number, unequal: number }>} result of the work, and the
 * number of polls in which the balance was negative or differed from the ledger
 */
export async function watchBalance({ databaseUrl }, accountId, work) {
  const seen = { looks: 0, negative: 0, unequal: 0 };
  const stopping = new AbortController();
  const watching = withClient(databaseUrl, async (client) => {
    while (!stopping.signal.aborted) {
      const { balance, ledger } = await balanceOf(client, accountId);
      seen.looks += 1;
      if (balance < 0) seen.negative += 1;
      if (balance !== ledger) seen.unequal += 1;
      await delay(LOOK_EVERY_MS);
    }
  });
  watching.catch(() => undefined); // Rethrown below, unless the work itself fails.
  const result = await work().finally(() => stopping.abort());
  await watching;
  return { result, ...seen };
}

async function balanceOf(/** @type {import('pg').Client} */ client, /** @type {string} */ accountId) {
  const sql = `SELECT coalesce((SELECT balance FROM gateway.credit_balances WHERE account_id = $1), 0)::int AS balance,
                      coalesce((SELECT sum(amount) FROM gateway.credit_ledger WHERE account_id = $1), 0)::int
                        AS ledger`;
  return /** @type {{ balance: number, ledger: number }} */ ((await client.query(sql, [accountId])).rows[0]);
}
