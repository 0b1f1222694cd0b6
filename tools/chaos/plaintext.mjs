// @ts-check
import { randomBytes } from 'node:crypto';
import { appendFileSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { connect } from 'amqplib';
import { withClient } from '../infra/postgres-login.mjs';

/** @typedef {import('./installation.mjs').Installation} Installation */
/** @typedef {{ hits: number, places: string, planted: number, plants: number }} Found */

const PLANT_QUEUE = 'planted';
const PLANT_LENGTH = 24;

/**
 * Searches all persistent data for secrets: table rows, broker files and logs. First plants a similar secret in each of
 * them, to detect a search that cannot find anything.
 * @param {Installation} installation
 * @param {string[]} secrets
 * @returns {Promise<Found>}
 */
export async function findPlaintext(installation, secrets) {
  const plants = { database: newPlant(), broker: newPlant(), logs: newPlant() };
  await plant(installation, plants);
  const places = {
    database: await dumpDatabase(installation),
    broker: await readFiles(installation.brokerFolder),
    logs: await readFiles(installation.logFolder),
  };
  const all = Object.entries(places);
  /** @type {string[]} */
  const hits = [];
  for (const secret of secrets) {
    const forms = formsOf(secret);
    hits.push(...all.filter(([, text]) => forms.some((form) => text.includes(form))).map(([place]) => place));
    // The search blocks for seconds. Let the event loop notice connections that were closed meanwhile, before a request
    // reuses one.
    await turn();
  }
  const planted = all.filter(([place, text]) =>
    text.includes(plants[/** @type {keyof typeof plants} */ (place)]),
  ).length;
  const sizes = all.map(([place, text]) => `${place} (${Math.round(text.length / 1024)} KB)`).join(', ');
  return {
    hits: hits.length,
    places: hits.length > 0 ? `${sizes}; found in ${[...new Set(hits)].join(', ')}` : sizes,
    planted,
    plants: all.length,
  };
}

const newPlant = () => `Planted${randomBytes(PLANT_LENGTH / 2).toString('hex')}`;

/**
 * Returns a secret's encodings: plain text, URL-encoded, hex as in bytea output, and base64 and base64url at any
 * offset.
 */
export function formsOf(/** @type {string} */ secret) {
  const bytes = Buffer.from(secret);
  const hex = bytes.toString('hex');
  // A base64 character has six bits, so preceding text shifts the encoding. Search only for characters made entirely of
  // the secret.
  const shifted = [0, 1, 2].map((before) => {
    const whole = Buffer.concat([Buffer.alloc(before), bytes])
      .toString('base64')
      .replace(/=+$/, '');
    return whole.slice(Math.ceil((before * 8) / 6), Math.floor(((before + bytes.length) * 8) / 6));
  });
  const url = shifted.map((text) => text.replaceAll('+', '-').replaceAll('/', '_'));
  return [...new Set([secret, encodeURIComponent(secret), hex, hex.toUpperCase(), ...shifted, ...url])];
}

async function plant(
  /** @type {Installation} */ installation,
  /** @type {{ database: string, broker: string, logs: string }} */ { database, broker, logs },
) {
  appendFileSync(join(installation.logFolder, 'otp.log'), `{"msg":"${logs}"}\n`);
  await withClient(installation.databaseUrl, (client) =>
    client.query('INSERT INTO gateway.audit_log (id, actor, action, target) VALUES ($1, $1, $1, $2)', [
      `aud_${Date.now()}`,
      database,
    ]),
  );
  const model = await connect(installation.broker.url);
  const channel = await model.createConfirmChannel();
  await channel.assertQueue(PLANT_QUEUE, { durable: true, arguments: { 'x-queue-type': 'quorum' } });
  channel.sendToQueue(PLANT_QUEUE, Buffer.from(broker), { persistent: true });
  await channel.waitForConfirms();
  await model.close();
}

/** Reads every row of every table in the services' schemas as text. */
export async function dumpDatabase(/** @type {Installation} */ installation) {
  return withClient(installation.databaseUrl, async (client) => {
    const { rows } = await client.query(
      "SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables WHERE schemaname NOT IN ('pg_catalog', 'information_schema')",
    );
    const parts = [];
    for (const { name } of rows)
      parts.push(
        (await client.query(`SELECT coalesce(string_agg(t::text, chr(10)), '') AS dump FROM ${name} AS t`)).rows[0]
          .dump,
      );
    return parts.join('\n');
  });
}

/**
 * Reads all files below a directory. Skips files that the broker removes or renames meanwhile.
 * @returns {Promise<string>}
 */
async function readFiles(/** @type {string} */ folder) {
  const texts = [];
  for (const entry of await readdir(folder, { withFileTypes: true }).catch(unlessGone([]))) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) texts.push(await readFiles(path));
    if (entry.isFile()) texts.push(await readFile(path, 'latin1').catch(unlessGone('')));
  }
  return texts.join('\n');
}

/** @template T @returns {(error: NodeJS.ErrnoException) => T} */
function unlessGone(/** @type {T} */ instead) {
  return (error) => {
    if (error.code === 'ENOENT') return instead;
    throw error;
  };
}
