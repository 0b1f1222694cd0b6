// Bundles the entry points of an app and writes the package.json of its image next to them. Usage: node
// tools/bundle.mjs apps/<app> [<folder> [<entry>]]. The default folder is dist/apps/<app>. With an entry, bundles only
// that one and writes no package.json.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { build } from 'esbuild';
import { bundleOptions } from './lib/swc-plugin.mjs';

const ENTRY_POINTS = ['main', 'migrate', 'ops', 'ops-commands', 'prepare-broker', 'sheet-worker'];

const [, , projectRoot, folder, entry] = process.argv;
if (!projectRoot || !existsSync(projectRoot)) {
  console.error('usage: node tools/bundle.mjs apps/<app> [<folder> [<entry>]]');
  process.exit(2);
}

const outdir = resolve(folder ?? join('dist/apps', basename(projectRoot)));
await build({
  ...bundleOptions,
  entryPoints: (entry ? [entry] : ENTRY_POINTS)
    .map((name) => resolve(projectRoot, `src/${name}.ts`))
    .filter(existsSync),
  outdir,
  outExtension: { '.js': '.mjs' },
  tsconfig: resolve(projectRoot, 'tsconfig.json'),
}).then(
  () => {
    if (entry === undefined) writeFileSync(join(outdir, 'package.json'), imageManifest());
  },
  (error) => {
    if (!Array.isArray(error?.errors)) throw error;
    // esbuild has already printed the error and its location, which a stack trace would hide.
    process.exitCode = 1;
  },
);

/**
 * Returns the app's package.json with the overrides of the root, because npm reads overrides only from the root
 * manifest of an installation. Omits the version, so that a release without package changes reuses the image's layer of
 * packages.
 */
function imageManifest() {
  const [root, own] = ['.', projectRoot].map((folder) =>
    JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')),
  );
  return `${JSON.stringify({ ...own, version: undefined, overrides: root.overrides }, null, 2)}\n`;
}
