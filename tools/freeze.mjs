// @ts-check
// npm run freeze: records a release's contracts and API description. A test then compares every change with them
// (tools/compatibility).
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { freeze } from './compatibility/frozen.mjs';
import { loadSources } from './generate/load.mjs';
import { ROOT } from './lib/home.mjs';

const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
const { contracts, describeApi } = await loadSources();
try {
  const added = freeze({ contracts, description: await describeApi('http://localhost:3000'), release: version });
  console.log(`${version}: froze ${added.length} contracts and the API's description`);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
