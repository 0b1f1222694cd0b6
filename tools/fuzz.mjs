// @ts-check
// npm run fuzz [-- --requests 5000] [--seed n] [--concurrency 8] [--url http://localhost:3000 --key sb_live_…]: sends generated requests to every
// operation of the API's description, most of them wrong in some way. Exit code 1 when an answer is a 5xx, late, not in our shape or not as
// described. Without --url it starts a throw-away installation of its own.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { build } from 'esbuild';
import { startFuzzedInstallation } from './fuzz/installation.mjs';
import { printReport } from './fuzz/report.mjs';
import { ROOT } from './lib/home.mjs';
import { log } from './lib/progress.mjs';
import { bundleOptions } from './lib/swc-plugin.mjs';

const { values } = parseArgs({
  options: {
    requests: { type: 'string', default: '5000' },
    seed: { type: 'string', default: String(Date.now() % 2 ** 31) },
    concurrency: { type: 'string', default: '8' },
    url: { type: 'string' },
    key: { type: 'string' },
  },
});
const [requests, seed, concurrency] = [values.requests, values.seed, values.concurrency].map(Number);
const isGiven = values.url !== undefined && values.key !== undefined;
if (![requests, seed, concurrency].every(Number.isSafeInteger) || (!isGiven && (values.url ?? values.key) !== undefined)) {
  process.stderr.write('usage: npm run fuzz -- [--requests n] [--seed n] [--concurrency n] [--url <address> --key <API key>]\n');
  process.exit(2);
}

const outdir = join(ROOT, 'dist/fuzz');
const source = join(ROOT, 'apps/gateway/test/fuzz');
await build({ ...bundleOptions, entryPoints: ['fuzz', 'known-values'].map((name) => join(source, `${name}.ts`)), outdir, outExtension: { '.js': '.mjs' }, tsconfig: join(ROOT, 'apps/gateway/tsconfig.json') });
/** @type {typeof import('../apps/gateway/test/fuzz/fuzz')} */
const { fuzz } = await import(pathToFileURL(join(outdir, 'fuzz.mjs')).href);
/** @type {typeof import('../apps/gateway/test/fuzz/known-values')} */
const { knownValues } = await import(pathToFileURL(join(outdir, 'known-values.mjs')).href);

const target = isGiven ? { url: String(values.url).replace(/\/(v1\/?)?$/, ''), apiKey: String(values.key), exits: () => [], stop: async () => {} } : await startFuzzedInstallation();
let passed = false;
try {
  const description = /** @type {any} */ (await (await fetch(`${target.url}/v1/openapi.json`)).json());
  const known = await knownValues(target.url, target.apiKey);
  const options = { url: target.url, apiKey: target.apiKey, description, known, requests: Number(requests), concurrency: Number(concurrency), seed: Number(seed) };
  const report = await fuzz({ ...options, onProgress: (done) => (done % 5_000 === 0 ? log(`${done} requests`) : undefined) });
  passed = printReport(report, { exits: target.exits() });
} finally {
  await target.stop();
}
process.exit(passed ? 0 : 1);
