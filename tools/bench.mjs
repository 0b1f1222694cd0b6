// @ts-check
// `npm run bench -- <name>` runs one benchmark; `--short` selects its short form. `npm run bench` runs the short forms
// of all benchmarks and writes docs/benchmarks.md. The default export of bench/<name>.ts runs the benchmark and returns
// its figures; `about` describes the comparison. bench/<name>-*.ts are child programs of benchmarks.
// BENCH_PROFILE_DIR=<folder> also writes CPU profiles of the services that a benchmark starts.
import { spawnSync } from 'node:child_process';
import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { ensureInfra } from './infra/index.mjs';
import { benchmarkPage } from './lib/benchmark-page.mjs';
import { HOME, ROOT } from './lib/home.mjs';
import { readJson, writeJson } from './lib/json-file.mjs';
import { log } from './lib/progress.mjs';
import { bundleOptions } from './lib/swc-plugin.mjs';

/** @typedef {import('./lib/benchmark-page.mjs').Result} Result */

const SOURCES = join(ROOT, 'bench');
const BUILT = join(ROOT, 'dist/bench');
const RESULTS = join(ROOT, 'bench/results');
const PAGE = join(ROOT, 'docs/benchmarks.md');

const names = benchmarks();
const [name = '', ...options] = process.argv.slice(2);
if (name === '') process.exit(runAll());
if (!names.includes(name)) {
  const usage = `usage: npm run bench [-- <${names.join('|')}> [--short]]\nWithout a name, runs the short forms of all benchmarks and writes ${PAGE.slice(ROOT.length + 1)}.\n`;
  const isAsked = name === '--help';
  (isAsked ? process.stdout : process.stderr).write(usage);
  process.exit(isAsked ? 0 : 2);
}
await runOne();
process.exit(0);

async function runOne() {
  await build({
    ...bundleOptions,
    entryPoints: readdirSync(SOURCES)
      .filter((file) => file.endsWith('.ts'))
      .map((file) => join(SOURCES, file)),
    // These modules locate the repository by their own path, so they must not be bundled
    external: [join(ROOT, 'tools/*')],
    outdir: BUILT,
    outExtension: { '.js': '.mjs' },
    tsconfig: join(SOURCES, 'tsconfig.json'),
  });
  const given = process.env['RABBITMQ_URL'] && process.env['DATABASE_URL'];
  const infra = given
    ? { rabbitmqUrl: process.env['RABBITMQ_URL'], databaseUrl: process.env['DATABASE_URL'] }
    : await ensureInfra({ log });
  /** @type {{ default(options: object): Promise<Result['figures']>, about: Result['about'] }} */
  const benchmark = await import(pathToFileURL(join(BUILT, `${name}.mjs`)).href);
  const startedAt = Date.now();
  const figures = await benchmark.default({
    rabbitmqUrl: infra.rabbitmqUrl,
    databaseUrl: infra.databaseUrl,
    programs: BUILT,
    log,
    home: HOME,
    profileDir: process.env['BENCH_PROFILE_DIR'],
    environment: process.env,
  });
  console.table(Object.fromEntries(figures.map(({ name: row, ...rest }) => [row, rest])));
  writeJson(resultOf(name), {
    name,
    about: benchmark.about,
    form: options.includes('--short') ? 'short' : 'long',
    measuredAt: new Date().toISOString(),
    seconds: Math.round((Date.now() - startedAt) / 1_000),
    machine: {
      node: process.version,
      cpus: cpus().length,
      cpu: cpus()[0]?.model.trim() ?? '',
      memoryGb: Math.round(totalmem() / 2 ** 30),
    },
    figures,
  });
  console.log(`written to ${resultOf(name)}`);
}

/** Runs the benchmarks sequentially, each in its own process, so that the memory of one does not affect another. */
function runAll() {
  /** @type {string[]} */
  const failed = [];
  for (const [index, each] of names.entries()) {
    log(`${index + 1} of ${names.length}: ${each}`);
    rmSync(resultOf(each), { force: true });
    const { status } = spawnSync(process.execPath, [fileURLToPath(import.meta.url), each, '--short'], {
      stdio: 'inherit',
      cwd: ROOT,
    });
    if (status !== 0) failed.push(each);
  }
  const results = names.flatMap((each) => readJson(resultOf(each)) ?? []);
  writeFileSync(PAGE, benchmarkPage(results));
  log(`written to ${PAGE}`);
  if (failed.length > 0) console.error(`failed: ${failed.join(', ')}`);
  return failed.length > 0 ? 1 : 0;
}

function resultOf(/** @type {string} */ benchmark) {
  return join(RESULTS, `${benchmark}.json`);
}

/** Lists the benchmarks, excluding their child programs. */
function benchmarks() {
  const files = readdirSync(SOURCES)
    .filter((file) => file.endsWith('.ts'))
    .map((file) => file.slice(0, -3));
  return files.filter((candidate) => !files.some((other) => candidate.startsWith(`${other}-`)));
}
