// @ts-check
// Checks docs/teams.md statically. tools/release/release.proof-spec.mjs runs its release and rollback.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../lib/home.mjs';
import { readJson } from '../lib/json-file.mjs';
import { shellBlocks } from '../lib/shell-blocks.mjs';

const page = readFileSync(join(ROOT, 'docs/teams.md'), 'utf8');
const commands = shellBlocks(page).join('\n');
const namesIn = (/** @type {RegExp} */ pattern) => [...commands.matchAll(pattern)].map(([, name = '']) => name);

describe('docs/teams.md', () => {
  test('has shell blocks with valid syntax', () => {
    execFileSync('bash', ['-n', '-c', commands]);
  });

  test('refers to existing targets and scripts', () => {
    const otp = JSON.parse(
      execFileSync(join(ROOT, 'node_modules/.bin/nx'), ['show', 'project', 'otp', '--json'], {
        cwd: ROOT,
        env: { ...process.env, NX_DAEMON: 'false' },
        encoding: 'utf8',
      }),
    );
    const targets = namesIn(/npx nx (\w+) otp/g);
    expect(targets.length).toBeGreaterThan(3);
    const together = namesIn(/npx nx run-many -t ([a-z ]+) -p otp/g).flatMap((names) => names.split(' '));
    expect(together.length).toBeGreaterThan(2);
    expect(Object.keys(otp.targets)).toEqual(expect.arrayContaining([...targets, ...together]));
    const scripts = namesIn(/npm run (\w+)/g);
    expect(scripts.length).toBeGreaterThan(0);
    expect(Object.keys(readJson(join(ROOT, 'package.json')).scripts)).toEqual(expect.arrayContaining(scripts));
  });

  test('refers to existing files and directories', () => {
    const paths = [...page.matchAll(/`((?:apps|libs|k8s|docker|observability|\.github)[^`\s]*)`/g)];
    const found = paths.map(([, path = '']) => path).filter((path) => !path.endsWith('CHANGELOG.md')); // after a release
    expect(found.length).toBeGreaterThan(8);
    expect(found.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
  });

  test('links to existing files', () => {
    const links = [...page.matchAll(/\]\(([^)#]+)/g)].map(([, link = '']) => link);
    expect(links.length).toBeGreaterThan(5);
    expect(links.filter((link) => !existsSync(join(ROOT, 'docs', link)))).toEqual([]);
  });
});
