// @ts-check
// Formats the results of the shapes.
import { CUSTOMER } from './catalogue.mjs';

/** @typedef {import('./run.mjs').Result} Result */

const WIDTH = 150;

/** Counts the shapes by handling. Counts a failed shape only as failed. */
export function countsOf(/** @type {readonly Result[]} */ results) {
  const counts = { handled: 0, raw: 0, rejected: 0, failed: 0 };
  for (const { shape, problem } of results) counts[problem ? 'failed' : shape.handling] += 1;
  return counts;
}

/** Returns the summary, the last line of the report. */
export function summaryOf(/** @type {readonly Result[]} */ results) {
  const { handled, raw, rejected, failed } = countsOf(results);
  return `${results.length} shapes: ${handled} handled, ${raw} raw, ${rejected} rejected, ${failed} failed`;
}

/** Formats a table with the id, the handling and the outcome of each shape. */
export function shapesTable(/** @type {readonly Result[]} */ results) {
  const widest = Math.max(...results.map(({ shape }) => shape.id.length));
  const lines = results.map(({ shape, shown, problem }) => {
    const state = problem ? 'failed' : shape.handling;
    const line = `${shape.id.padEnd(widest)}  ${state.padEnd(8)}  ${shape.name}: ${problem ?? shown}`;
    return problem || line.length <= WIDTH ? line : `${line.slice(0, WIDTH - 1)}…`;
  });
  return [`${'shape'.padEnd(widest)}  result    name, and what it becomes`, ...lines].join('\n');
}

/** Returns the report as JSON. */
export function reportJson(/** @type {readonly Result[]} */ results, /** @type {readonly string[]} */ versions) {
  return {
    versions,
    recipient: CUSTOMER,
    counts: countsOf(results),
    shapes: results.map(({ shape, shown, problem }) => {
      const { id, name, direction, handling, reason, page, read, sample } = shape;
      return { id, name, direction, handling, reason, page, read, sample, shown, problem };
    }),
  };
}
