// @ts-check
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { SERVICES } from '../lib/services.mjs';
import { otherCommits } from './other-version.mjs';

const MIGRATIONS = 'apps/otp/src/migrations/index.ts';
let repository = '';

beforeEach(() => {
  repository = mkdtempSync(join(tmpdir(), 'other-version-'));
  git('init', '--quiet', '--initial-branch=main');
});
afterEach(() => rmSync(repository, { recursive: true, force: true }));

test('otherCommits uses the parent of the last migration without a release', async () => {
  commit(MIGRATIONS, 'one');
  const before = commit('apps/otp/src/main.ts', 'one');
  commit(MIGRATIONS, 'two');
  commit('apps/otp/src/main.ts', 'two');
  expect(await otherCommits('', repository)).toEqual(ofEach(before));
});

test("otherCommits uses each service's last release before this commit", async () => {
  const schema = commit('README.md', 'one');
  commit(MIGRATIONS, 'one');
  const first = commit('README.md', 'two');
  git('tag', 'otp@0.1.0');
  const second = commit('README.md', 'three');
  git('tag', 'jobs@0.2.0');
  commit('README.md', 'four');
  git('tag', 'otp@0.2.0');
  git('tag', 'jobs-of-another@1.0.0');
  expect(await otherCommits('', repository)).toEqual({ ...ofEach(schema), otp: first, jobs: second });
});

test('otherCommits uses a given revision for all services', async () => {
  const first = commit('README.md', 'one');
  git('tag', 'otp@0.1.0');
  const second = commit('README.md', 'two');
  commit('README.md', 'three');
  expect(await otherCommits('HEAD~1', repository)).toEqual(ofEach(second));
  expect(await otherCommits(first.slice(0, 8), repository)).toEqual(ofEach(first));
});

test('otherCommits asks for a revision when it finds none', async () => {
  commit(MIGRATIONS, 'one');
  await expect(otherCommits('nowhere', repository)).rejects.toThrow('no revision nowhere: name the other version');
  await expect(otherCommits('', repository)).rejects.toThrow('name the other version');
});

function git(/** @type {string[]} */ ...args) {
  const person = ['-c', 'user.name=Test', '-c', 'user.email=test@example.com', '-c', 'commit.gpgsign=false'];
  return execFileSync('git', [...person, ...args], { cwd: repository, encoding: 'utf8' }).trim();
}

/** @returns {string} id of the commit */
function commit(/** @type {string} */ file, /** @type {string} */ text) {
  mkdirSync(dirname(join(repository, file)), { recursive: true });
  writeFileSync(join(repository, file), text);
  git('add', '--all');
  git('commit', '--quiet', '--message', `${file} ${text}`);
  return git('rev-parse', 'HEAD');
}

function ofEach(/** @type {string} */ revision) {
  return Object.fromEntries(SERVICES.map((service) => [service, revision]));
}
