// @ts-check
// Measures the gzipped size of the dashboard's files after every build. apps/e2e/src/browser/every-page.proof-e2e.ts
// measures what a browser actually loads.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

/** Size limits in bytes: scripts of the first load, its styles, and the additional chunks of any page. */
const BUDGET = { script: 190_000, style: 15_000, chunk: 40_000 };

/**
 * @param {string} folder folder of the built dashboard
 * @returns {string[]} human-readable list of exceeded limits
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
