// Bundles the entry points of one app into dist/.
// Usage: node tools/bundle.mjs apps/<app>
import { existsSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { build } from 'esbuild';
import { bundleOptions } from './lib/swc-plugin.mjs';

const ENTRY_POINTS = ['main', 'migrate', 'ops'];

const projectRoot = process.argv[2];
if (!projectRoot || !existsSync(projectRoot)) {
  console.error('usage: node tools/bundle.mjs apps/<app>');
  process.exit(2);
}

await build({
  ...bundleOptions,
  entryPoints: ENTRY_POINTS.map((name) => resolve(projectRoot, `src/${name}.ts`)).filter(existsSync),
  outdir: resolve('dist/apps', basename(projectRoot)),
  outExtension: { '.js': '.mjs' },
  tsconfig: resolve(projectRoot, 'tsconfig.json'),
});
