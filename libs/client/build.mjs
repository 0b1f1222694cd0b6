// @ts-check
// Builds the npm package into the subdirectory package of a directory: one ES module, its types, README and license.
// Packs it into client.tgz, which the gateway serves. npm gives all files the same timestamp, so builds of the same
// sources are byte-identical.
// Usage: node build.mjs [directory], by default dist/libs/client. The directory is deleted first.
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const here = dirname(fileURLToPath(import.meta.url));
const root = resolve(here, '../..');
const folder = resolve(process.argv[2] ?? join(root, 'dist/libs/client'));
const out = join(folder, 'package');

rmSync(folder, { recursive: true, force: true });
mkdirSync(out, { recursive: true });
await build({
  // Source names in the bundle are relative to this directory.
  absWorkingDir: root,
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
  [join(root, 'node_modules/typescript-7/bin/tsc'), '-p', join(here, 'tsconfig.build.json'), '--outDir', out],
  { stdio: 'inherit' },
);
for (const file of readdirSync(out).filter((name) => name.endsWith('.d.ts'))) addExtensions(join(out, file));
for (const file of [join(here, 'package.json'), join(here, 'README.md'), join(root, 'LICENSE')])
  copyFileSync(file, join(out, file.slice(file.lastIndexOf('/') + 1)));
const packing = ['pack', out, '--pack-destination', folder, '--json', '--offline', '--ignore-scripts'];
const [{ filename }] = JSON.parse(execFileSync('npm', packing, { encoding: 'utf8', cwd: folder }));
renameSync(join(folder, filename), join(folder, 'client.tgz'));

/** Adds the file extensions that Node's module resolution requires and the sources omit. */
function addExtensions(/** @type {string} */ file) {
  writeFileSync(file, readFileSync(file, 'utf8').replace(/(from |import\()(['"])(\.\/[\w-]+)\2/g, '$1$2$3.js$2'));
}
