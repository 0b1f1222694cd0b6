// @ts-check
// Builds the npm package into dist/libs/client: one ES module, its types, README and licence. `npm pack
// ./dist/libs/client` makes the tarball.
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const here = dirname(fileURLToPath(import.meta.url));
const root = resolve(here, '../..');
const out = join(root, 'dist/libs/client');

rmSync(out, { recursive: true, force: true });
mkdirSync(out, { recursive: true });
await build({
  entryPoints: [join(here, 'src/index.ts')],
  outfile: join(out, 'index.js'),
  bundle: true,
  platform: 'node',
  target: 'node20',
  format: 'esm',
  logLevel: 'warning',
});
execFileSync(
  process.execPath,
  [join(root, 'node_modules/typescript-7/bin/tsc'), '-p', join(here, 'tsconfig.build.json')],
  { stdio: 'inherit' },
);
for (const file of readdirSync(out).filter((name) => name.endsWith('.d.ts'))) addExtensions(join(out, file));
for (const file of [join(here, 'package.json'), join(here, 'README.md'), join(root, 'LICENSE')])
  copyFileSync(file, join(out, file.slice(file.lastIndexOf('/') + 1)));

/** Our sources import without extensions; who resolves as Node does needs them. */
function addExtensions(/** @type {string} */ file) {
  writeFileSync(file, readFileSync(file, 'utf8').replace(/(from |import\()(['"])(\.\/[\w-]+)\2/g, '$1$2$3.js$2'));
}
