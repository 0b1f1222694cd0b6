// @ts-check
import { setTimeout as delay } from 'node:timers/promises';
import { withClient } from '../infra/postgres-login.mjs';

/** @typedef {import('./installation.mjs').Installation} Installation */

const LOOK_EVERY_MS = 20;

/**
 * An account's balance and the sum of its ledger, in one snapshot.
 * @returns {Promise<{ balance: number, ledger: number }>}
 */
export async function readBalance(/** @type {Installation} */ { databaseUrl }, /** @type {string} */ accountId) {
  return withClient(databaseUrl, (client) => balanceOf(client, accountId));
}

/**
 * Works, and looks at an account's balance and ledger again and again meanwhile.
 * @template T
 * @param {Installation} installation
 * @param {string} accountId
 * @param {() => Promise<T>} work
 * @returns {Promise<{ result: T, looks: number, negative: number, unequal: number }>} what the work gave, and at how
 * many looks the balance was below zero or other than the ledger
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
  watching.catch(() => undefined); // thrown below, unless the work itself failed
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
