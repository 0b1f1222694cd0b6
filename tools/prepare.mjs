// @ts-check
// Run by npm after `npm ci` and `npm install`. Generates the files that editors and `npx jest` need.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { generateAll } from './lib/build.mjs';
import { ROOT } from './lib/home.mjs';

// Skipped without development packages, which the Grafana dashboards need; there is nothing to edit or test then.
if (existsSync(join(ROOT, 'node_modules/jest'))) await generateAll();
