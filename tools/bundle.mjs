// Bundles the entry points of one app into dist/.
// Usage: node tools/bundle.mjs apps/<app> [<folder> <entry>]: all of them into dist/apps/<app>, or one into a folder.
import { existsSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { build } from 'esbuild';
import { bundleOptions } from './lib/swc-plugin.mjs';

const ENTRY_POINTS = ['main', 'migrate', 'ops', 'ops-commands', 'prepare-broker', 'sheet-worker'];

const [, , projectRoot, folder, entry] = process.argv;
if (!projectRoot || !existsSync(projectRoot)) {
  console.error('usage: node tools/bundle.mjs apps/<app> [<folder> <entry>]');
  process.exit(2);
}

await build({
  ...bundleOptions,
  entryPoints: (entry ? [entry] : ENTRY_POINTS)
    .map((name) => resolve(projectRoot, `src/${name}.ts`))
    .filter(existsSync),
  outdir: resolve(folder ?? join('dist/apps', basename(projectRoot))),
  outExtension: { '.js': '.mjs' },
  tsconfig: resolve(projectRoot, 'tsconfig.json'),
}).catch((error) => {
  if (!Array.isArray(error?.errors)) throw error;
  // esbuild has printed what is wrong and where; its stack below that would push it out of sight.
  process.exitCode = 1;
});
