// @ts-check
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { withClient } from '../infra/postgres-login.mjs';
import { homePath, ROOT } from './home.mjs';
import { readJson, writeJson } from './json-file.mjs';
import { mustRun } from './run.mjs';
import { PROGRAMS, SERVICES, commandQueuesOf, databaseUrlOf, programFile } from './services.mjs';

/** Builds every program. Nx restores unchanged programs from its cache. */
export async function buildAll() {
  const output = await runTargets('build');
  const missing = PROGRAMS.filter((app) => !existsSync(programFile(app)));
  if (missing.length > 0) throw new Error(`the build made no ${missing.join(', ')}:\n${output}`);
}

/** Generates the untracked files. Nx restores those of unchanged projects from its cache. */
export async function generateAll() {
  await runTargets('generate');
}

/** Runs a target of every project that has it. */
function runTargets(/** @type {string} */ target) {
  return mustRun(process.execPath, [join(ROOT, 'node_modules/.bin/nx'), 'run-many', '-t', target], {
    cwd: ROOT,
    env: { ...process.env, NX_DAEMON: 'false', NX_TUI: 'false', NO_COLOR: '1' },
  });
}

/**
 * Migrates the schemas of all services concurrently. Skipped when neither the migrations nor the database have changed
 * since the last run.
 * @param {import('./services.mjs').Setting} setting
 * @returns {Promise<boolean>} true when the migrations ran
 */
export async function migrateAll(setting) {
  const state = homePath('migrated.json');
  const fingerprint = migrationsFingerprint(setting);
  const noted = readJson(state);
  const applied = noted?.fingerprint === fingerprint ? await appliedIn(setting) : undefined;
  if (applied !== undefined && applied === noted.applied) return false;
  await Promise.all(SERVICES.map((service) => migrate(service, setting)));
  writeJson(state, { fingerprint, applied: await appliedIn(setting) });
  return true;
}

/**
 * Sets the broker up for the version of a checkout: queues, and the services' logins unless the broker imports them
 * itself.
 * @param {Pick<import('./services.mjs').Setting, 'infra'>} setting
 * @param {string} [root] root of the checkout
 */
export async function prepareBroker(setting, root = ROOT) {
  const env = { ...process.env, ...brokerSetUpEnvironment(setting) };
  const program = programFile('gateway', 'prepare-broker', root);
  await mustRun(process.execPath, [program], { cwd: root, env, timeoutMs: 120_000 });
}

/**
 * Returns the settings of the program that sets the broker up.
 * @param {Pick<import('./services.mjs').Setting, 'infra'>} setting
 * @returns {Record<string, string>}
 */
export function brokerSetUpEnvironment({ infra }) {
  const urls = Object.entries(infra.brokerLogins ?? {}).map(([login, url]) => [
    `${login.toUpperCase()}_RABBITMQ_URL`,
    url,
  ]);
  return {
    ...Object.fromEntries(urls),
    RABBITMQ_ADMIN_URL: infra.rabbitmqUrl,
    RABBITMQ_MANAGEMENT_URL: infra.managementUrl ?? '',
    BROKER_NAMESPACE: infra.namespace,
    COMMAND_QUEUES: commandQueuesOf(infra),
  };
}

/** Creates the login and the schema of a service, or migrates an existing schema. */
export async function migrate(/** @type {string} */ service, /** @type {import('./services.mjs').Setting} */ setting) {
  const env = {
    ...process.env,
    DATABASE_ADMIN_URL: setting.infra.databaseUrl,
    DATABASE_URL: databaseUrlOf(service, setting),
  };
  await mustRun(process.execPath, [programFile(service, 'migrate')], { cwd: ROOT, env, timeoutMs: 120_000 });
}

function migrationsFingerprint(/** @type {import('./services.mjs').Setting} */ setting) {
  const hash = createHash('sha256').update(setting.infra.databaseUrl);
  for (const service of SERVICES)
    hash.update(readFileSync(programFile(service, 'migrate'))).update(databaseUrlOf(service, setting));
  return hash.digest('hex');
}

/**
 * Reads the number of applied migrations in each schema with the service's own login. The numbers differ after an older
 * dump was restored. Returns undefined when a login cannot read them, for example after the database was lost or
 * restored without passwords.
 * @returns {Promise<string | undefined>}
 */
async function appliedIn(/** @type {import('./services.mjs').Setting} */ setting) {
  const count = async (/** @type {string} */ service) => {
    const read = `SELECT count(*) AS count FROM ${service}.migrations`;
    const { rows } = await withClient(databaseUrlOf(service, setting), (client) => client.query(read));
    return `${service} ${rows[0].count}`;
  };
  return Promise.all(SERVICES.map(count)).then(
    (counts) => counts.join(', '),
    () => undefined,
  );
}
