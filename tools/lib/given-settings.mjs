// @ts-check
// This module imports no package, because `npm start` loads it before installing any.
import { join } from 'node:path';
import { ROOT } from './home.mjs';
import { readJson } from './json-file.mjs';
import { run } from './run.mjs';
import { ensureSecrets } from './secrets.mjs';
import { fixedEnvironmentOf, SERVICES } from './services.mjs';

/**
 * Returns placeholder settings for use before database, broker and ports are known.
 * @returns {import('./services.mjs').Setting}
 */
export function placeholderSetting() {
  const management = SERVICES.map((service, index) => [`${service}:management`, 3010 + index]);
  return {
    infra: {
      databaseUrl: 'postgres://localhost',
      loginSuffix: '',
      rabbitmqUrl: 'amqp://localhost',
      brokerLogins: undefined,
      managementUrl: undefined,
      namespace: '',
      chosen: { postgres: 'local', rabbitmq: 'local' },
    },
    secrets: ensureSecrets(),
    ports: { gateway: 3000, simulator: 3900, ...Object.fromEntries(management) },
  };
}

/** Returns true when the environment contains a setting that `npm start` does not set itself. */
function hasGivenSettings() {
  const setting = placeholderSetting();
  const fixed = { ...fixedEnvironmentOf('simulator', setting), ...fixedEnvironmentOf('gateway', setting) };
  const names = /** @type {string[]} */ (readJson(join(ROOT, 'apps/gateway/src/cli/setting-names.json')));
  return names.some((name) => process.env[name] && (fixed[name] ?? process.env[name]) === process.env[name]);
}

/** Exit code of `check-settings.mjs` for invalid settings. Node itself exits with 1 after an uncaught error. */
export const INVALID_SETTINGS = 2;

/**
 * Validates the settings in the environment. Needs the installed packages, and takes two seconds if any setting must be
 * checked.
 * @throws Error with each invalid setting, or with the output of a failed check
 */
export async function checkGivenSettings() {
  if (!hasGivenSettings()) return;
  const { code, output } = await run(process.execPath, [join(ROOT, 'tools/check-settings.mjs')], { cwd: ROOT });
  if (code === 0) return;
  const problem =
    code === INVALID_SETTINGS ? 'the environment has settings that are not valid' : 'the check of the settings failed';
  throw new Error(`${problem}:\n${output.trimEnd()}`);
}
