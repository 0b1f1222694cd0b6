// @ts-check
// npm runs this after `npm ci` and `npm install`. It generates the files that editors and `npx jest` need.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { generateAll } from './lib/build.mjs';
import { ROOT } from './lib/home.mjs';

// Skip this without development packages: the Grafana dashboards need them, and there is nothing to edit or test.
if (existsSync(join(ROOT, 'node_modules/jest'))) await generateAll();
