// @ts-check
// What the files of the dashboard weigh, compressed with gzip: asserted after every build. What a browser really loads
// is measured in apps/e2e/src/browser/every-page.proof-e2e.ts.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

/** Most bytes of the scripts of the first load, of its styles, and of what any one page loads besides. */
const BUDGET = { script: 190_000, style: 15_000, chunk: 40_000 };

/**
 * @param {string} folder the built dashboard
 * @returns {string[]} what is over the budget, in words
 */
export function bytesOverBudget(folder) {
  const page = readFileSync(join(folder, 'index.html'), 'utf8');
  const first = new Set([...page.matchAll(/assets\/([\w.-]+\.(?:js|css))/g)].map(([, name = '']) => name));
  const sizes = readdirSync(join(folder, 'assets'))
    .filter((name) => /\.(js|css)$/.test(name))
    .map((name) => ({ name, bytes: gzipSync(readFileSync(join(folder, 'assets', name))).length }));
  const sumOf = (/** @type {string} */ end) =>
    sizes.filter(({ name }) => first.has(name) && name.endsWith(end)).reduce((sum, { bytes }) => sum + bytes, 0);
  const parts = [
    { what: 'the scripts of the first load', bytes: sumOf('.js'), most: BUDGET.script },
    { what: 'the styles of the first load', bytes: sumOf('.css'), most: BUDGET.style },
    ...sizes
      .filter(({ name }) => !first.has(name))
      .map(({ name, bytes }) => ({ what: name, bytes, most: BUDGET.chunk })),
  ];
  if (sumOf('.js') === 0) return ['index.html names no script'];
  return parts
    .filter(({ bytes, most }) => bytes > most)
    .map(({ what, bytes, most }) => `${what}: ${bytes} bytes, at most ${most}`);
}
