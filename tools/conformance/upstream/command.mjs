// @ts-check
// npm run conformance -- upstream: runs all documented platform shapes through the code.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { ROOT } from '../../lib/home.mjs';
import { say } from '../../lib/progress.mjs';
import { bundleOptions } from '../../lib/swc-plugin.mjs';
import { catalogueProblems, readShapes } from './catalogue.mjs';
import { countsOf, reportJson, shapesTable, summaryOf } from './report.mjs';
import { runShapes } from './run.mjs';

/** @returns {Promise<number>} exit code: 1 if the handling of a shape differs from the catalogue */
export async function runUpstream(/** @type {{ json: boolean }} */ { json }) {
  const shapes = readShapes();
  const problems = catalogueProblems(shapes);
  const code = await loadCode();
  const results = await runShapes(code, shapes, code.TESTED_VERSIONS);
  if (json) await written(JSON.stringify(reportJson(results, code.TESTED_VERSIONS), null, 2));
  else {
    say(shapesTable(results));
    say(`\ntested the requests with the versions ${code.TESTED_VERSIONS.join(', ')}\n${summaryOf(results)}`);
  }
  for (const problem of problems) process.stderr.write(`${problem}\n`);
  return problems.length > 0 || countsOf(results).failed > 0 ? 1 : 0;
}

/** Writes a text to stdout, and waits until a pipe has received all of it. @returns {Promise<void>} */
function written(/** @type {string} */ text) {
  return new Promise((done) => process.stdout.write(`${text}\n`, () => done()));
}

/** @returns {Promise<typeof import('./code.mjs')>} */
async function loadCode() {
  // The bundle must be inside the checkout to resolve the packages.
  const outfile = join(ROOT, 'dist', `upstream-shapes-${process.pid}.mjs`);
  try {
    await build({ ...bundleOptions, sourcemap: false, entryPoints: [join(import.meta.dirname, 'code.mjs')], outfile });
    return await import(pathToFileURL(outfile).href);
  } finally {
    rmSync(outfile, { force: true });
  }
}
