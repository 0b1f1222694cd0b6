// @ts-check
import { randomUUID } from 'node:crypto';
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { ROOT } from '../lib/home.mjs';
import { bundleOptions } from '../lib/swc-plugin.mjs';

/** @typedef {import('../../libs/platform/src/config').ConfigDefinition} ConfigDefinition */
/** @typedef {typeof import('../../libs/contracts/src/index')} Contracts */
/**
 * @typedef {object} Sources input of the tracked generated files
 * @property {Contracts} contracts
 * @property {typeof import('../../libs/broker/src/index').allRights} allRights
 * @property {(schema: import('zod').ZodType) => boolean} isSecret
 * @property {(publicBaseUrl: string) => Promise<object>} describeApi returns the OpenAPI description of the public API
 * @property {{ app: string, exported: string, definition: ConfigDefinition }[]} definitions every config definition of
 * every app
 */

/**
 * Loads the contracts and the settings of all apps.
 * @returns {Promise<Sources>}
 */
export async function loadSources() {
  const folders = readdirSync(join(ROOT, 'apps')).sort();
  const apps = folders.filter((app) => existsSync(join(ROOT, 'apps', app, 'src/config.ts')));
  const { contracts, allRights, isSecret, describeApi, ...configs } = await loadModule([
    "export * as contracts from './libs/contracts/src/index';",
    "export { allRights } from './libs/broker/src/index';",
    "export { isSecret } from './libs/platform/src/index';",
    "export { describeWithoutStarting as describeApi } from './apps/gateway/src/describe';",
    ...apps.map((app) => `export * as ${app} from './apps/${app}/src/config';`),
  ]);
  return {
    contracts,
    allRights,
    isSecret,
    describeApi,
    definitions: apps.flatMap((app) => definitionsOf(app, configs[app])),
  };
}

/**
 * Bundles and imports a module that re-exports TypeScript files. A single bundle makes the files share one copy of the
 * libs.
 * @param {string[]} lines lines of the module; paths are relative to the repository root
 * @returns {Promise<Record<string, any>>}
 */
export async function loadModule(lines) {
  const outfile = join(ROOT, 'dist', `generate-${randomUUID()}.mjs`);
  const contents = ["import 'reflect-metadata';", ...lines].join('\n');
  try {
    await build({
      ...bundleOptions,
      sourcemap: false,
      stdin: { contents, resolveDir: ROOT, loader: 'ts' },
      outfile,
    });
    return await import(pathToFileURL(outfile).href);
  } finally {
    rmSync(outfile, { force: true });
  }
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
