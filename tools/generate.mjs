// @ts-check
// Writes the files generated from the code: the tracked ones or, for given projects, their untracked ones (`nx run
// <project>:generate`). With --check, lists stale files and exits with 1.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { PROJECTS } from './generate/projects.mjs';
import { ROOT } from './lib/home.mjs';

const { values, positionals } = parseArgs({ options: { check: { type: 'boolean' } }, allowPositionals: true });
const stale = Object.entries(await filesOf(positionals)).filter(
  ([name, text]) => !existsSync(join(ROOT, name)) || readFileSync(join(ROOT, name), 'utf8') !== text,
);
for (const [name, text] of stale) {
  if (values.check) console.error(`${name} is stale: npm run generate`);
  else write(name, text);
}
if (values.check && stale.length > 0) process.exitCode = 1;

/** @returns {Promise<import('./generate/projects.mjs').Files>} */
async function filesOf(/** @type {string[]} */ projects) {
  if (projects.length === 0) return (await import('./generate/tracked.mjs')).trackedFiles();
  const files = await Promise.all(projects.map((project) => generatorOf(project)()));
  return Object.assign({}, ...files);
}

function generatorOf(/** @type {string} */ project) {
  const generator = PROJECTS[project];
  if (!generator) throw new Error(`${project} has no generated files. Projects: ${Object.keys(PROJECTS).join(', ')}`);
  return generator;
}

function write(/** @type {string} */ name, /** @type {string} */ text) {
  mkdirSync(dirname(join(ROOT, name)), { recursive: true });
  writeFileSync(join(ROOT, name), text);
  console.log(`wrote ${name}`);
}
