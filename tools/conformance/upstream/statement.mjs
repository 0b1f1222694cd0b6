// @ts-check
// Compares docs/platform-support.md with the table of versions and the catalogue.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../../lib/home.mjs';

/** @typedef {import('./catalogue.mjs').Shape} Shape */
/** @typedef {{ version: string, released: string, ends: string | null }} Version */

export function readStatement() {
  return readFileSync(join(ROOT, 'docs/platform-support.md'), 'utf8');
}

/** Returns the rows of the page's table of versions. @returns {string[][]} */
export function versionRows(/** @type {string} */ statement) {
  return rowsOf(statement).filter(([version]) => /^v\d+\.0$/.test(version ?? ''));
}

/**
 * Returns the differences between the page's features and the catalogue. A shape belongs to the row with the longest
 * prefix of its id.
 * @returns {string[]}
 */
export function statementProblems(/** @type {string} */ statement, /** @type {readonly Shape[]} */ shapes) {
  const rows = rowsOf(statement).flatMap(([feature = '', support = '', names = '']) => {
    const starts = [...names.matchAll(/`([^`]+)`/g)].map(([, start]) => String(start));
    return starts.length > 0 && support !== 'tested'
      ? [{ feature, support, starts, ids: /** @type {Shape[]} */ ([]) }]
      : [];
  });
  const problems = [];
  for (const shape of shapes) {
    const found = rows
      .flatMap((row) => row.starts.filter((start) => isStartOf(start, shape.id)).map((start) => ({ row, start })))
      .toSorted((one, other) => other.start.length - one.start.length)[0];
    if (found) found.row.ids.push(shape);
    else problems.push(`no feature lists the shape ${shape.id}`);
  }
  for (const { feature, support, starts, ids } of rows) {
    for (const start of starts)
      if (!shapes.some(({ id }) => isStartOf(start, id))) problems.push(`${feature}: no shape starts with ${start}`);
    const is = supportOf(ids);
    if (is !== support) problems.push(`${feature}: the page says ${support}, the catalogue says ${is}`);
  }
  return problems;
}

function isStartOf(/** @type {string} */ start, /** @type {string} */ id) {
  return id === start || id.startsWith(`${start}.`) || id.startsWith(`${start}-`);
}

function supportOf(/** @type {readonly Shape[]} */ shapes) {
  const isAll = (/** @type {string} */ handling) => shapes.every((shape) => shape.handling === handling);
  if (isAll('handled')) return 'yes';
  return shapes.some(({ handling }) => handling === 'handled') ? 'partly' : 'no';
}

function rowsOf(/** @type {string} */ statement) {
  return statement
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .map((line) =>
      line
        .slice(1, -1)
        .split('|')
        .map((cell) => cell.trim()),
    );
}
