// @ts-check
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { ROOT } from '../lib/home.mjs';
import { bundleOptions } from '../lib/swc-plugin.mjs';

/** @typedef {import('../../libs/platform/src/config').ConfigDefinition} ConfigDefinition */
/** @typedef {typeof import('../../libs/contracts/src/index')} Contracts */
/**
 * @typedef {object} Sources what the generated files are made of
 * @property {Contracts} contracts
 * @property {typeof import('../../libs/broker/src/index').allRights} allRights
 * @property {(schema: import('zod').ZodType) => boolean} isSecret
 * @property {(publicBaseUrl: string) => Promise<object>} describeApi the OpenAPI description of the public API
 * @property {() => Promise<object>} describeConsole the OpenAPI description of the console's routes
 * @property {Record<string, object>} dashboards for Grafana, by the names of their files
 * @property {() => Record<string, string>} describeCommands the help of each operator command
 * @property {{ app: string, exported: string, definition: ConfigDefinition }[]} definitions every config definition of
 * every app
 */

/**
 * Loads the contracts and the settings of all apps: bundled into one module, so that they share one copy of the libs.
 * @returns {Promise<Sources>}
 */
export async function loadSources() {
  const folders = readdirSync(join(ROOT, 'apps')).sort();
  const apps = folders.filter((app) => existsSync(join(ROOT, 'apps', app, 'src/config.ts')));
  const outfile = join(ROOT, 'dist', `generate-${process.pid}.mjs`);
  try {
    await build({
      ...bundleOptions,
      sourcemap: false,
      stdin: { contents: entryFor(apps), resolveDir: ROOT, loader: 'ts' },
      outfile,
    });
    const { contracts, allRights, isSecret, describeApi, describeConsole, describeCommands, dashboards, ...configs } =
      await import(pathToFileURL(outfile).href);
    return {
      contracts,
      allRights,
      isSecret,
      describeApi,
      describeConsole,
      dashboards,
      describeCommands,
      definitions: apps.flatMap((app) => definitionsOf(app, configs[app])),
    };
  } finally {
    rmSync(outfile, { force: true });
  }
}

function entryFor(/** @type {string[]} */ apps) {
  return [
    "import 'reflect-metadata';",
    "export * as contracts from './libs/contracts/src/index';",
    "export { allRights } from './libs/broker/src/index';",
    "export { isSecret } from './libs/platform/src/index';",
    "export { describeWithoutStarting as describeApi, describeConsoleWithoutStarting as describeConsole } from './apps/gateway/src/describe';",
    "export { dashboards } from './observability/dashboards/source/index';",
    "export { describeCommands } from './apps/gateway/src/cli/describe-commands';",
    ...apps.map((app) => `export * as ${app} from './apps/${app}/src/config';`),
  ].join('\n');
}

function definitionsOf(/** @type {string} */ app, /** @type {Record<string, unknown>} */ config) {
  return Object.entries(config).flatMap(([exported, value]) =>
    isDefinition(value) ? [{ app, exported, definition: value }] : [],
  );
}

/** @returns {value is ConfigDefinition} */
function isDefinition(/** @type {unknown} */ value) {
  return typeof value === 'object' && value !== null && 'owner' in value && 'fields' in value;
}
