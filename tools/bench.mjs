// @ts-check
// Runs one benchmark: `npm run bench -- <name>`. A benchmark is bench/<name>.ts, whose default export measures and
// gives its figures; bench/<name>-*.ts are programs that it, or another one, runs as other processes.
// BENCH_PROFILE_DIR=<folder> also writes CPU profiles of the services, where a benchmark starts them.
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { ensureInfra } from './infra/index.mjs';
import { HOME, ROOT } from './lib/home.mjs';
import { log } from './lib/progress.mjs';
import { bundleOptions } from './lib/swc-plugin.mjs';

const SOURCES = join(ROOT, 'bench');
const BUILT = join(ROOT, 'dist/bench');
const RESULTS = join(ROOT, 'bench/results');

/** @typedef {{ name: string, perSecond: number, [figure: string]: string | number | undefined }} Figure */

const name = process.argv[2] ?? '';
if (!existsSync(join(SOURCES, `${name}.ts`))) {
  console.error(`usage: npm run bench -- <${benchmarks().join('|')}>`);
  process.exit(2);
}

await build({
  ...bundleOptions,
  entryPoints: readdirSync(SOURCES)
    .filter((file) => file.endsWith('.ts'))
    .map((file) => join(SOURCES, file)),
  outdir: BUILT,
  outExtension: { '.js': '.mjs' },
  tsconfig: join(SOURCES, 'tsconfig.json'),
});
const given = process.env['RABBITMQ_URL'] && process.env['DATABASE_URL'];
const infra = given
  ? { rabbitmqUrl: process.env['RABBITMQ_URL'], databaseUrl: process.env['DATABASE_URL'] }
  : await ensureInfra({ log });
/** @type {{ default(options: object): Promise<Figure[]> }} */
const benchmark = await import(pathToFileURL(join(BUILT, `${name}.mjs`)).href);
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
mkdirSync(RESULTS, { recursive: true });
const file = join(RESULTS, `${name}.json`);
writeFileSync(
  file,
  `${JSON.stringify({ name, measuredAt: new Date().toISOString(), node: process.version, cpus: cpus().length, figures }, undefined, 2)}\n`,
);
console.log(`written to ${file}`);
process.exit(0);

/** The names that can be given: files that are no program of another benchmark. */
function benchmarks() {
  const names = readdirSync(SOURCES)
    .filter((file) => file.endsWith('.ts'))
    .map((file) => file.slice(0, -3));
  return names.filter((candidate) => !names.some((other) => candidate.startsWith(`${other}-`)));
}
