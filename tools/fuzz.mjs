// @ts-check
// npm run fuzz [-- --requests 5000] [--seed n] [--concurrency 8] [--url http://localhost:3000 --key sb_live_…]: sends
// generated, mostly invalid requests to every operation of the API description. Exits with 1 when a response is a 5xx,
// late, malformed or undocumented. Without --url, starts a temporary installation.
import { parseArgs } from 'node:util';
import { verdict } from './chaos/report.mjs';
import { startFuzzedInstallation } from './fuzz/installation.mjs';
import { loadFuzzer } from './fuzz/load.mjs';
import { printReport } from './fuzz/report.mjs';
import { log } from './lib/progress.mjs';

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
if (
  ![requests, seed, concurrency].every(Number.isSafeInteger) ||
  (!isGiven && (values.url ?? values.key) !== undefined)
) {
  process.stderr.write(
    'usage: npm run fuzz -- [--requests n] [--seed n] [--concurrency n] [--url <address> --key <API key>]\n',
  );
  process.exit(2);
}

const { fuzz, knownValues } = await loadFuzzer();
const target = isGiven
  ? {
      url: String(values.url).replace(/\/(v1\/?)?$/, ''),
      apiKey: String(values.key),
      exits: () => [],
      stop: async () => {},
    }
  : await startFuzzedInstallation();
let passed = false;
try {
  const description = /** @type {any} */ (await (await fetch(`${target.url}/v1/openapi.json`)).json());
  const known = await knownValues(target.url, target.apiKey);
  const options = {
    url: target.url,
    apiKey: target.apiKey,
    description,
    known,
    requests: Number(requests),
    concurrency: Number(concurrency),
    seed: Number(seed),
  };
  const report = await fuzz({
    ...options,
    onProgress: (done) => (done % 5_000 === 0 ? log(`${done} requests`) : undefined),
  });
  passed = verdict(
    printReport(report, { exits: target.exits() }),
    'no 5xx, every answer in time, in our shape and as described',
  );
} finally {
  await target.stop();
}
process.exit(passed ? 0 : 1);
