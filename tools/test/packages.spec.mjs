// @ts-check
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT } from '../lib/home.mjs';
import { readJson } from '../lib/json-file.mjs';
import { ensurePackages, isComplete, isFresh, KEEP_NODE, nodeOf, withAddresses } from '../lib/packages.mjs';

const root = mkdtempSync(join(tmpdir(), 'switchboard-packages-'));
const write = (/** @type {string} */ path, /** @type {Record<string, unknown>} */ packages) =>
  writeFileSync(join(root, path), JSON.stringify({ packages }));
const lock = {
  '': {},
  'node_modules/a': { version: '1.0.0' },
  'node_modules/a-for-another-system': { version: '1.0.0', optional: true },
};

beforeEach(() => {
  rmSync(join(root, 'node_modules'), { recursive: true, force: true });
  mkdirSync(join(root, 'node_modules/a'), { recursive: true });
  writeFileSync(join(root, 'node_modules/a/package.json'), '{}');
  write('package-lock.json', lock);
});
afterAll(() => rmSync(root, { recursive: true }));

test('treats missing and partially installed packages as stale', () => {
  expect(isFresh(root)).toBe(false);
  expect(isComplete(root)).toBe(false);
});

test('accepts a manual npm installation without packages for other systems', async () => {
  write('node_modules/.package-lock.json', { 'node_modules/a': { version: '1.0.0' } });
  expect(isComplete(root)).toBe(true);
  expect(await ensurePackages({ root, log: () => undefined })).toBe(false);
  expect(isFresh(root)).toBe(true);
});

test('removes the lock file of a killed installation', async () => {
  write('node_modules/.package-lock.json', { 'node_modules/a': { version: '1.0.0' } });
  await ensurePackages({ root, log: () => undefined });
  write('npm-shrinkwrap.json', {});
  expect(await ensurePackages({ root, log: () => undefined })).toBe(false);
  expect(existsSync(join(root, 'npm-shrinkwrap.json'))).toBe(false);
});

test('treats packages as incomplete when a package directory is missing', () => {
  write('node_modules/.package-lock.json', { 'node_modules/a': { version: '1.0.0' } });
  rmSync(join(root, 'node_modules/a'), { recursive: true });
  expect(isComplete(root)).toBe(false);
});

test('requires direct optional packages for this platform', () => {
  const [node, other] = ['node_modules/node-here', 'node_modules/node-elsewhere'];
  write('package-lock.json', {
    ...lock,
    '': { optionalDependencies: { 'node-here': '2.0.0', 'node-elsewhere': '2.0.0' } },
    [node]: { version: '2.0.0', optional: true, os: process.platform, cpu: [process.arch] },
    [other]: { version: '2.0.0', optional: true, os: 'none' },
  });
  const installed = (/** @type {string | undefined} */ version) => {
    write('node_modules/.package-lock.json', {
      'node_modules/a': { version: '1.0.0' },
      ...(version && { [node]: { version } }),
    });
    mkdirSync(join(root, node), { recursive: true });
    writeFileSync(join(root, node, 'package.json'), '{}');
    return isComplete(root);
  };
  expect([installed(undefined), installed('1.9.0'), installed('2.0.0')]).toEqual([false, false, true]);
});

describe('packages without development packages', () => {
  const dev = { 'node_modules/b': { version: '1.0.0', dev: true } };

  beforeEach(() => {
    write('package-lock.json', { ...lock, ...dev });
    write('node_modules/.package-lock.json', { 'node_modules/a': { version: '1.0.0' } });
  });

  test('suffice for running but not for development', async () => {
    expect([isComplete(root, { omitDev: true }), isComplete(root)]).toEqual([true, false]);
    await ensurePackages({ root, log: () => undefined, omitDev: true });
    expect([isFresh(root, { omitDev: true }), isFresh(root)]).toEqual([true, false]);
  });

  test('are included in a full installation', async () => {
    write('node_modules/.package-lock.json', { 'node_modules/a': { version: '1.0.0' }, ...dev });
    mkdirSync(join(root, 'node_modules/b'));
    writeFileSync(join(root, 'node_modules/b/package.json'), '{}');
    expect(await ensurePackages({ root, log: () => undefined, omitDev: true })).toBe(false);
    expect([isFresh(root, { omitDev: true }), isFresh(root)]).toEqual([true, true]);
  });

  test('are still checked for completeness', () => {
    rmSync(join(root, 'node_modules/a'), { recursive: true });
    expect(isComplete(root, { omitDev: true })).toBe(false);
  });
});

test('treats packages as stale after a lock file change', async () => {
  write('node_modules/.package-lock.json', { 'node_modules/a': { version: '1.0.0' } });
  await ensurePackages({ root, log: () => undefined });
  write('package-lock.json', { ...lock, 'node_modules/a': { version: '1.0.1' } });
  expect(isFresh(root)).toBe(false);
  expect(isComplete(root)).toBe(false);
});

test('adds package addresses for any registry', () => {
  const integrity = 'sha512-0';
  const addressesIn = (/** @type {string} */ registry) =>
    Object.values(
      withAddresses(
        {
          packages: {
            '': { version: '0.1.0' },
            'libs/a': { version: '0.1.0' },
            'node_modules/b': { version: '1.0.0', integrity },
            'node_modules/b/node_modules/@c/d': { version: '2.0.0-rc.1', integrity },
            'node_modules/alias': { name: 'e', version: '3.0.0', integrity },
          },
        },
        registry,
      ).packages,
    ).map(({ resolved }) => resolved);
  const files = ['b/-/b-1.0.0.tgz', '@c/d/-/d-2.0.0-rc.1.tgz', 'e/-/e-3.0.0.tgz'];
  for (const registry of ['https://registry.test/npm', 'https://registry.test/npm/'])
    expect(addressesIn(registry)).toEqual([
      undefined,
      undefined,
      ...files.map((file) => `https://registry.test/npm/${file}`),
    ]);
});

test('uses the packaged Node unless it is missing or overridden', () => {
  expect(nodeOf(root, {})).toBeUndefined();
  mkdirSync(join(root, 'node_modules/.bin'));
  symlinkSync(process.execPath, join(root, 'node_modules/.bin/node'));
  expect(nodeOf(root, {})).toBe(realpathSync(process.execPath));
  expect(nodeOf(root, { [KEEP_NODE]: '1' })).toBeUndefined();
});

(process.platform === 'linux' && ['x64', 'arm64'].includes(process.arch) ? test : test.skip)(
  'that Node is the one that package.json names',
  () => {
    const named = readJson(join(ROOT, 'package.json')).optionalDependencies[`node-linux-${process.arch}`];
    const { stdout } = spawnSync(nodeOf(ROOT, {}) ?? '', ['--version'], { encoding: 'utf8' });
    expect(stdout.trim()).toBe(`v${named}`);
  },
);
