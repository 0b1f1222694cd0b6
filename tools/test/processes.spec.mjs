// @ts-check
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { lockOwner, tryLock, withLock } from '../lib/lock.mjs';
import { isRunning, processesMarked, refOf, stampOf, terminate } from '../lib/processes.mjs';
import { eventually } from '../lib/wait.mjs';

const folder = mkdtempSync(join(tmpdir(), 'switchboard-processes-'));
/** @type {import('node:child_process').ChildProcess[]} */
const children = [];

/** Starts a program that runs until it is terminated. A `deaf` program ignores SIGTERM. */
async function bystander(env = {}, { deaf = false } = {}) {
  const code = `${deaf ? "process.on('SIGTERM', () => {});" : ''} console.log('up'); setInterval(() => {}, 1000)`;
  const child = spawn(process.execPath, ['-e', code], {
    env: { ...process.env, ...env },
    detached: true,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  children.push(child);
  await new Promise((resolve) => child.stdout?.once('data', resolve));
  return Number(child.pid);
}

afterAll(() => {
  for (const child of children) child.kill('SIGKILL');
  rmSync(folder, { recursive: true });
});

test('does not mistake a reused process id for the recorded process', async () => {
  const pid = await bystander();
  expect(isRunning({ pid, stamp: 'an earlier start' })).toBe(false);
  expect(isRunning(refOf(pid))).toBe(true);
});

test('reports a zombie as not running', async () => {
  const pid = await bystander();
  const ref = refOf(pid);
  process.kill(pid, 'SIGKILL');
  await eventually('the end', () => !isRunning(ref), { timeoutMs: 5000 });
  expect(stampOf(pid)).toBeUndefined();
});

test('finds only processes with the given markers', async () => {
  const ours = await bystander({ SB_TEST_HOME: folder, SB_TEST_SERVICE: 'messaging' });
  await bystander({ SB_TEST_HOME: `${folder}-other`, SB_TEST_SERVICE: 'messaging' });
  await bystander({ SB_TEST_HOME: folder });
  const found = processesMarked({ SB_TEST_HOME: folder, SB_TEST_SERVICE: undefined });
  expect(found.map(({ pid }) => pid)).toEqual([ours]);
});

test('kills a process that ignores SIGTERM after the grace period', async () => {
  const deaf = await bystander({}, { deaf: true });
  expect(await terminate([deaf], 200)).toBe(true);
  expect(stampOf(deaf)).toBeUndefined();
});

test('respects the lock of a running process', async () => {
  const path = join(folder, 'held.lock');
  const owner = await bystander();
  writeFileSync(path, JSON.stringify(refOf(owner)));
  expect(tryLock(path)).toBeUndefined();
  expect(lockOwner(path)).toBe(owner);
});

test('acquires a lock whose process id was reused', async () => {
  const path = join(folder, 'stale.lock');
  const innocent = await bystander();
  writeFileSync(path, JSON.stringify({ pid: innocent, stamp: 'an earlier start' }));
  const release = tryLock(path);
  expect(release).toBeDefined();
  expect(lockOwner(path)).toBe(process.pid);
  expect(stampOf(innocent)).toBeDefined();
  release?.();
  expect(lockOwner(path)).toBeUndefined();
});

test('treats a truncated lock file as free', () => {
  const path = join(folder, 'broken.lock');
  writeFileSync(path, '{"pid": 1');
  expect(tryLock(path)).toBeDefined();
});

test('serializes work under the same lock', async () => {
  const path = join(folder, 'queue.lock');
  /** @type {string[]} */
  const seen = [];
  const work = (/** @type {string} */ name) =>
    withLock(path, { timeoutMs: 5000 }, async () => {
      seen.push(`${name} begins`);
      await new Promise((resolve) => setImmediate(resolve));
      seen.push(`${name} ends`);
    });
  await Promise.all([work('a'), work('b')]);
  expect(seen).toEqual(['a begins', 'a ends', 'b begins', 'b ends']);
});
