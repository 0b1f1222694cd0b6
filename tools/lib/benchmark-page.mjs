// @ts-check

/**
 * @typedef {{ name: string, [figure: string]: string | number | undefined }} Figure one row of a benchmark
 * @typedef {object} Result what one run of a benchmark has measured
 * @property {string} name
 * @property {{ measures: string, floor: string }} about
 * @property {'short' | 'long'} form
 * @property {string} measuredAt
 * @property {number} seconds how long it took
 * @property {{ node: string, cpus: number, cpu: string, memoryGb: number }} machine
 * @property {Figure[]} figures
 */

/** A benchmark with more rows than that shows those with the largest ratios. */
const MOST_ROWS = 12;
const SHOWN_OF_MANY = 6;
const MICROSECONDS = 1e6;

/** The columns: what stands over each, and where a benchmark may have put it. */
const COLUMNS = /** @type {[title: string, value: (figure: Figure) => string | number | undefined][]} */ ([
  ['a second', ({ perSecond }) => perSecond],
  ['ratio', ratioOf],
  ['CPU s per 1,000', cpuSecondsPer1000],
  ['p50 ms', ({ p50Ms, p50LargeMs, hostileP50Ms }) => p50Ms ?? p50LargeMs ?? hostileP50Ms],
  ['p99 ms', ({ p99Ms, p99LargeMs, hostileP99Ms }) => p99Ms ?? p99LargeMs ?? hostileP99Ms],
  ['peak MB', ({ peakMegabytes, peakMb, residentMegabytes }) => peakMegabytes ?? peakMb ?? residentMegabytes],
]);

/**
 * The page of all benchmarks, as `npm run bench` has measured them.
 * @param {readonly Result[]} results of one run
 * @returns {string} Markdown
 */
export function benchmarkPage(results) {
  const [first] = results;
  if (!first) return '# Benchmarks\n\nNothing was measured.\n';
  const { machine, measuredAt } = first;
  return [
    '# Benchmarks',
    '',
    '`npm run bench` wrote this page. It runs the short forms of all benchmarks, one after the other; `npm run bench -- <name>` runs the long form of one.',
    '',
    `Measured on ${measuredAt.slice(0, 10)}: ${machine.cpus} × ${machine.cpu}, ${machine.memoryGb} GB, Node ${machine.node.slice(1)}, with PostgreSQL, RabbitMQ, the simulator and the load on the same machine.`,
    'Times depend on the machine and on what else it does. A ratio compares ours with the floor of the same run, and CPU seconds are steadier than times: read those first.',
    ...results.flatMap(sectionOf),
    '',
  ].join('\n');
}

/** @returns {string[]} */
function sectionOf(/** @type {Result} */ { name, about, figures, seconds }) {
  const isLong = figures.length > MOST_ROWS;
  const rows = isLong
    ? [...figures].sort((one, other) => Number(ratioOf(other) ?? 0) - Number(ratioOf(one) ?? 0)).slice(0, SHOWN_OF_MANY)
    : figures;
  const columns = COLUMNS.filter(([, value]) => rows.some((row) => value(row) !== undefined));
  const rest = figures.length - rows.length;
  return [
    '',
    `## ${name}`,
    '',
    `Measures ${about.measures}. The floor is ${about.floor}. (${seconds} s)`,
    '',
    `| | ${columns.map(([title]) => title).join(' | ')} |`,
    `|---|${columns.map(() => '--:|').join('')}`,
    ...rows.map((row) => `| ${[row.name, ...columns.map(([, value]) => shown(value(row)))].join(' | ')} |`),
    ...(isLong ? ['', `The ${rows.length} largest ratios; ${rest} other rows have smaller ones.`] : []),
  ];
}

/** Whatever it is a ratio of, the benchmark says. */
function ratioOf(/** @type {Figure} */ { ratio, ratioP99, p99Ratio, timeRatio }) {
  return ratio ?? ratioP99 ?? p99Ratio ?? timeRatio;
}

function cpuSecondsPer1000(/** @type {Figure} */ figure) {
  const { cpuSecondsPer1000: given, cpuMicrosPerUnit } = figure;
  return given ?? (cpuMicrosPerUnit === undefined ? undefined : (Number(cpuMicrosPerUnit) * 1_000) / MICROSECONDS);
}

function shown(/** @type {string | number | undefined} */ value) {
  if (typeof value !== 'number') return value ?? '';
  return value >= 100 ? Math.round(value).toLocaleString('en') : String(Math.round(value * 100) / 100);
}
