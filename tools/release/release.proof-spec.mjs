// @ts-check
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';
import { ROOT } from '../lib/home.mjs';
import { mustRun, run } from '../lib/run.mjs';
import { SERVICES } from '../lib/services.mjs';
import { shellBlocks } from '../lib/shell-blocks.mjs';

const OVERLAY = 'k8s/overlays/production/kustomization.yaml';
const ENVIRONMENT = { ...process.env, NX_DAEMON: 'false', NO_COLOR: '1', CI: 'true' };
const nx = (/** @type {string[]} */ args) =>
  run(join(ROOT, 'node_modules/.bin/nx'), args, { cwd: ROOT, env: ENVIRONMENT });
const read = (/** @type {string} */ file, root = ROOT) => readFileSync(join(root, file), 'utf8');

describe('a release', () => {
  test('is needed only for the service that changed', async () => {
    const { output } = await nx([
      'show',
      'projects',
      '--affected',
      '--files=apps/otp/src/main.ts',
      '--projects=tag:type:app',
      '--json',
    ]);
    const affected = JSON.parse(output);
    expect(SERVICES.filter((service) => affected.includes(service))).toEqual(['otp']);
  });

  test('is needed for all services when shared code changed', async () => {
    const { output } = await nx([
      'show',
      'projects',
      '--affected',
      '--files=libs/broker/src/broker.ts',
      '--projects=tag:type:app',
      '--json',
    ]);
    expect(JSON.parse(output)).toEqual(expect.arrayContaining([...SERVICES]));
  });

  test('keeps package.json and the production overlay at the same versions', () => {
    const { images } = parse(read(OVERLAY));
    const tags = images.map((/** @type {{ name: string, newTag: string }} */ { name, newTag }) => [name, newTag]);
    const versions = SERVICES.map((service) => [service, JSON.parse(read(`apps/${service}/package.json`)).version]);
    expect(tags).toEqual(versions.map(([service, version]) => [`switchboard/${service}`, version]));
    expect(JSON.parse(read('nx.json')).release.projects).toEqual([...SERVICES]);
  });
});

describe('release commands of docs/teams.md in a copy of the repository', () => {
  const blocks = shellBlocks(read('docs/teams.md'));
  const copy = mkdtempSync(join(tmpdir(), 'switchboard-release-'));
  const git = (/** @type {string[]} */ ...args) => execFileSync('git', args, { cwd: copy, encoding: 'utf8' });
  const commit = (/** @type {string} */ subject) => {
    git('add', '--all', '--', '.', ':!node_modules');
    git('commit', '--quiet', '--message', subject);
  };

  /** Runs the only block of the page that contains this command. */
  const runBlock = (/** @type {string} */ command) => {
    const found = blocks.filter((block) => block.includes(command));
    expect(found).toHaveLength(1);
    return mustRun('bash', ['-euo', 'pipefail', '-c', found.join('')], { cwd: copy, env: ENVIRONMENT });
  };

  beforeAll(() => {
    execFileSync('bash', ['-c', `git ls-files -coz --exclude-standard | tar -c --null -T - | tar -x -C ${copy}`], {
      cwd: ROOT,
    });
    symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
    const change = (/** @type {string} */ file, /** @type {(text: string) => string} */ edit) =>
      writeFileSync(join(copy, file), edit(read(file, copy)));
    change('apps/otp/package.json', (text) => text.replace(/"version": ".*"/, '"version": "0.2.0"'));
    change(OVERLAY, (text) => text.replace(/(switchboard\/otp, newTag: )[^}]+/, '$10.2.0'));
    rmSync(join(copy, 'apps/otp/CHANGELOG.md'), { force: true });
    git('init', '--quiet');
    git('config', 'user.name', 'Test');
    git('config', 'user.email', 'test@example.com');
    commit('otp: start');
    git('tag', 'otp@0.2.0');
    for (const [file, subject] of [
      ['apps/otp/src/main.ts', 'otp: limit codes per recipient'],
      ['apps/otp/src/main.ts', 'tests: cover the limit'],
      ['apps/messaging/src/main.ts', 'messaging: send in order'],
    ]) {
      change(file ?? '', (text) => `${text}// more\n`);
      commit(subject ?? '');
    }
  });
  afterAll(() => rmSync(copy, { recursive: true }));

  test('release one service with its version, changelog, tag and overlay line', async () => {
    await runBlock('npx nx release');
    expect(git('log', '-1', '--format=%s%n%D').trim().split('\n')).toEqual([
      'release: otp 0.2.1',
      'HEAD -> release-otp, tag: otp@0.2.1',
    ]);
    expect(git('diff', '--numstat', 'HEAD~').trim().split('\n')).toEqual([
      expect.stringMatching(/^\d+\t0\tapps\/otp\/CHANGELOG.md$/),
      '1\t1\tapps/otp/package.json',
      `1\t1\t${OVERLAY}`,
    ]);
    expect(JSON.parse(read('apps/otp/package.json', copy)).version).toBe('0.2.1');
    const { images } = parse(read(OVERLAY, copy));
    expect(images).toContainEqual(expect.objectContaining({ name: 'switchboard/otp', newTag: '0.2.1' }));
    const [title, ...changes] = read('apps/otp/CHANGELOG.md', copy).split('\n').filter(Boolean);
    expect(title).toMatch(/^## 0\.2\.1 \(\d{4}-\d\d-\d\d\)$/);
    expect(changes).toEqual(['### otp', '- limit codes per recipient']);
  });

  test('build a program with the new version', async () => {
    await mustRun(process.execPath, ['tools/bundle.mjs', 'apps/otp'], { cwd: copy });
    expect(read('dist/apps/otp/main.mjs', copy)).toContain('"0.2.1"');
    expect(JSON.parse(read('dist/apps/otp/package.json', copy))).not.toHaveProperty('version');
  });

  test('roll back version and overlay but keep changelog and tag', async () => {
    await runBlock('git revert');
    expect(git('diff', '--name-only', 'otp@0.2.1~').trim()).toBe('apps/otp/CHANGELOG.md');
    expect(git('diff', '--name-only', 'otp@0.2.1', '--', 'apps/otp/CHANGELOG.md')).toBe('');
    expect(git('tag', '--list', 'otp@0.2.1').trim()).toBe('otp@0.2.1');
  });
});
