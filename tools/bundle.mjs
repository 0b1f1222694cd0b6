// Bundles the entry points of one app, and lists the packages they import in a package.json beside them.
// Usage: node tools/bundle.mjs apps/<app> [<folder> [<entry>]]: into dist/apps/<app> or the folder; one entry has no list.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
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
  metafile: true,
}).then(
  ({ metafile }) => {
    if (entry === undefined) writeFileSync(join(outdir, 'package.json'), manifestOf(metafile));
  },
  (error) => {
    if (!Array.isArray(error?.errors)) throw error;
    // esbuild has printed what is wrong and where; its stack below that would push it out of sight.
    process.exitCode = 1;
  },
);

/**
 * The manifest of the app's image: the imported packages, at the versions of the root manifest. The version is left out,
 * because a release that changes no package must not change the image's layer of packages.
 */
function manifestOf({ outputs }) {
  const root = JSON.parse(readFileSync('package.json', 'utf8'));
  const imports = Object.values(outputs).flatMap((output) => output.imports.filter(({ external }) => external));
  const packages = new Set(
    imports
      .map(({ path }) => path)
      .filter((path) => !isBuiltin(path))
      .map(packageOf),
  );
  const undeclared = [...packages].filter((name) => !(name in root.dependencies));
  if (undeclared.length > 0)
    throw new Error(`${projectRoot} imports, but package.json lacks: ${undeclared.join(', ')}`);
  const dependencies = Object.fromEntries([...packages].sort().map((name) => [name, root.dependencies[name]]));
  const { license, overrides } = root;
  const manifest = { name: `switchboard-${basename(projectRoot)}`, private: true, license, dependencies, overrides };
  return `${JSON.stringify(manifest, null, 2)}\n`;
}

/** `@scope/name` of `@scope/name/file`. */
function packageOf(path) {
  return path.split('/', path.startsWith('@') ? 2 : 1).join('/');
}
