// @ts-check
import { createCipheriv, randomBytes, randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { withClient } from '../infra/postgres-login.mjs';
import { ROOT } from '../lib/home.mjs';
import { ensureSecrets } from '../lib/secrets.mjs';

/** @typedef {import('./installation.mjs').Installation} Installation */

export const ENDPOINTS = 10;

/**
 * Creates accounts with one endpoint each directly in the database, without other services.
 * @returns {Promise<string[]>} account ids
 */
export async function addEndpoints(/** @type {Installation} */ { databaseUrl }, /** @type {string} */ url) {
  const run = randomUUID();
  const accounts = Array.from({ length: ENDPOINTS }, (_, number) => `acc_${run}_${number}`);
  const secret = sealed(`whsec_${randomBytes(32).toString('base64')}`, ensureSecrets().encryptionKey);
  await withClient(databaseUrl, (client) =>
    client.query(
      `INSERT INTO webhooks.endpoints (id, account_id, url, sealed_verify_token, sealed_secret, set_by)
       SELECT 'ep_' || account, account, $2 || '/' || n, $3, $3,
         'faults' FROM unnest($1::text[]) WITH ORDINALITY AS input (account, n)`,
      [accounts, url, secret],
    ),
  );
  return accounts;
}

/** Encrypts like the services: AES-256-GCM, `v1.` followed by nonce, tag and ciphertext in base64url. */
function sealed(/** @type {string} */ plain, /** @type {string} */ key) {
  const nonce = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', Buffer.from(key, 'base64'), nonce);
  const encrypted = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
  return `v1.${Buffer.concat([nonce, cipher.getAuthTag(), encrypted]).toString('base64url')}`;
}

/** Stores events directly in the service's tables, in place of messaging. */
export async function storeEvents(
  /** @type {Installation} */ { databaseUrl },
  /** @type {string[]} */ accounts,
  /** @type {number} */ events,
) {
  const { typeid } = await import(pathToFileURL(join(ROOT, 'node_modules/typeid-js/dist/index.js')).href);
  await withClient(databaseUrl, async (client) => {
    for (let from = 0; from < events; from += 500) {
      const rows = Array.from({ length: Math.min(500, events - from) }, (_, n) => ({
        event: String(typeid('evt')),
        delivery: String(typeid('dlv')),
        account: accounts[(from + n) % accounts.length],
      }));
      await client.query(
        `WITH input AS (SELECT * FROM unnest($1::text[], $2::text[], $3::text[]) AS input (event, delivery, account)),
         stored AS (
           INSERT INTO webhooks.events (id, account_id, kind, body, occurred_at)
           SELECT event, account, 'message_status',
             convert_to('{"event":"message_status","eventId":"' || event || '"}', 'UTF8'), now() FROM input
         )
         INSERT INTO webhooks.pending_deliveries (id, account_id, endpoint_id, event_id)
         SELECT delivery, account, ep.id, event FROM input JOIN webhooks.endpoints ep ON ep.account_id = account`,
        [rows.map(({ event }) => event), rows.map(({ delivery }) => delivery), rows.map(({ account }) => account)],
      );
    }
  });
}
