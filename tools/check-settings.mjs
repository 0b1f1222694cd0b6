// @ts-check
// Validates the settings in the environment for all programs of `npm start`, before any of them starts. Exits with 2
// and lists each problem once.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { ROOT } from './lib/home.mjs';
import { environmentOf, PROGRAMS } from './lib/services.mjs';
import { INVALID_SETTINGS, placeholderSetting } from './lib/given-settings.mjs';
import { bundleOptions } from './lib/swc-plugin.mjs';

/** @typedef {import('../libs/platform/src/config').ConfigDefinition} ConfigDefinition */
/** @typedef {typeof import('../libs/platform/src/config')} Config */

const ENTRY = [
  "export { configProblems } from './libs/platform/src/config';",
  ...PROGRAMS.map((app) => `export { settings as ${app} } from './apps/${app}/src/config';`),
].join('\n');

// Values as the user set them, not yet parsed as numbers.
const ports = Object.fromEntries(
  ['GATEWAY_PORT', 'SIMULATOR_PORT'].flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])),
);
const setting = placeholderSetting();
const { configProblems, ...definitions } = await loadDefinitions();
/** @type {Map<string, string[]>} */
const programsOf = new Map();
for (const app of PROGRAMS)
  for (const problem of configProblems(definitions[app], { ...environmentOf(app, setting), ...ports }))
    programsOf.set(problem, [...(programsOf.get(problem) ?? []), app]);
for (const [problem, programs] of programsOf)
  process.stdout.write(`  ${problem}\n    read by ${programs.join(', ')}\n`);
if (programsOf.size > 0) process.exitCode = INVALID_SETTINGS;

/** @returns {Promise<Record<(typeof PROGRAMS)[number], ConfigDefinition> & Pick<Config, 'configProblems'>>} */
async function loadDefinitions() {
  // The bundle must be inside the checkout to resolve the packages.
  const outfile = join(ROOT, 'dist', `check-settings-${process.pid}.mjs`);
  try {
    const stdin = { contents: ENTRY, resolveDir: ROOT, loader: /** @type {const} */ ('ts') };
    await build({ ...bundleOptions, sourcemap: false, stdin, outfile });
    return await import(pathToFileURL(outfile).href);
  } finally {
    rmSync(outfile, { force: true });
  }
}
