// @ts-check
// Apart from installation.mjs, which loads drivers of PostgreSQL and RabbitMQ: the operator's commands start with this.
import { homePath } from './home.mjs';
import { readJson, writeJson } from './json-file.mjs';
import { SERVICE_MARK } from './services.mjs';

const ENVIRONMENT = homePath('env.json');

/** The variables that together name an installation other than that of this checkout. */
export const NAMES_INSTALLATION = /** @type {const} */ (['DATABASE_URL', 'RABBITMQ_URL', 'ENCRYPTION_KEY']);

/**
 * Finds an environment that names an installation in part: its commands would silently change that of this checkout.
 * RABBITMQ_URL alone is the broker that `npm start` was given.
 * @param {NodeJS.ProcessEnv} environment
 * @returns {string | undefined} what is wrong
 */
export function operatorEnvironmentProblem(environment) {
  const missing = NAMES_INSTALLATION.filter((name) => !environment[name]);
  if (missing.length === 0 || (!environment['DATABASE_URL'] && !environment['ENCRYPTION_KEY'])) return undefined;
  return `the environment names an installation in part: set ${missing.join(' and ')}, too, or unset the rest of ${NAMES_INSTALLATION.join(', ')} for the installation of this checkout`;
}

/**
 * What the operator command needs to know of the running installation.
 * @returns {Record<string, string> | undefined}
 */
export function readOperatorEnvironment() {
  return readJson(ENVIRONMENT);
}

/** Keeps what the operator command needs to reach the installation. */
export function writeOperatorEnvironment(/** @type {Record<string, string>} */ environment) {
  writeJson(ENVIRONMENT, Object.fromEntries(Object.entries(environment).filter(([name]) => name !== SERVICE_MARK)));
}
