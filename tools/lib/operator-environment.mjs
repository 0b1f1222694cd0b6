// @ts-check
// Separate from installation.mjs, which loads the PostgreSQL and RabbitMQ drivers, because every operator command loads
// this module first.
import { homePath } from './home.mjs';
import { readJson, writeJson } from './json-file.mjs';
import { SERVICE_MARK } from './services.mjs';

const ENVIRONMENT = homePath('env.json');

/** Variables that together select an installation other than that of this checkout. */
export const NAMES_INSTALLATION = /** @type {const} */ (['DATABASE_URL', 'RABBITMQ_URL', 'ENCRYPTION_KEY']);

/**
 * Detects an environment that selects another installation only partially. Its commands would silently change this
 * checkout's installation. RABBITMQ_URL alone is valid, because it selects the broker of `npm start`.
 * @param {NodeJS.ProcessEnv} environment
 * @returns {string | undefined} description of the problem
 */
export function operatorEnvironmentProblem(environment) {
  const missing = NAMES_INSTALLATION.filter((name) => !environment[name]);
  if (missing.length === 0 || (!environment['DATABASE_URL'] && !environment['ENCRYPTION_KEY'])) return undefined;
  return `the environment names an installation in part: set ${missing.join(' and ')}, too, or unset the rest of ${NAMES_INSTALLATION.join(', ')} for the installation of this checkout`;
}

/**
 * Reads the environment that operator commands need for the running installation.
 * @returns {Record<string, string> | undefined}
 */
export function readOperatorEnvironment() {
  return readJson(ENVIRONMENT);
}

/** Stores the environment that operator commands need to reach the installation. */
export function writeOperatorEnvironment(/** @type {Record<string, string>} */ environment) {
  writeJson(ENVIRONMENT, Object.fromEntries(Object.entries(environment).filter(([name]) => name !== SERVICE_MARK)));
}
