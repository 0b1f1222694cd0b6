// @ts-check
// Apart from installation.mjs, which loads drivers of PostgreSQL and RabbitMQ: the operator's commands start with this.
import { homePath } from './home.mjs';
import { readJson, writeJson } from './json-file.mjs';
import { SERVICE_MARK } from './services.mjs';

const ENVIRONMENT = homePath('env.json');

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
