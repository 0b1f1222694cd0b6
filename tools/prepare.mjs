// @ts-check
// npm runs this after `npm ci` and `npm install`. It makes the generated files, which editors and `npx jest` read.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { generateAll } from './lib/build.mjs';
import { ROOT } from './lib/home.mjs';

// Without the development packages there is nothing to edit or test, and the dashboards for Grafana cannot be made.
if (existsSync(join(ROOT, 'node_modules/jest'))) await generateAll();
