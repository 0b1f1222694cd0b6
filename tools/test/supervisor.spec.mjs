// @ts-check
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { logFileOf } from '../lib/log-files.mjs';
import { isRunning } from '../lib/processes.mjs';
import { createSupervisor } from '../lib/supervisor.mjs';
import { eventually } from '../lib/wait.mjs';

const NAME = 'supervised-by-a-test';
const { execPath } = process;
const folder = mkdtempSync(join(tmpdir(), 'switchboard-supervisor-'));

afterAll(() => {
  process.execPath = execPath;
  rmSync(folder, { recursive: true });
  rmSync(logFileOf(NAME), { force: true });
});

test('restarts a program when a missing Node is available again', async () => {
  const file = join(folder, 'program.mjs');
  writeFileSync(file, 'setInterval(() => {}, 1_000);');
  /** @type {Record<string, import('../lib/processes.mjs').ProcessRef | undefined>} */
  let running = {};
  const supervisor = createSupervisor(
    [{ name: NAME, file, env: { PATH: process.env['PATH'] ?? '' }, healthUrl: '' }],
    (now) => (running = now),
  );
  process.execPath = join(folder, 'no-node');
  supervisor.start();
  expect(running[NAME]).toBeUndefined();
  process.execPath = execPath;
  await eventually('the program to run', () => isRunning(running[NAME]), { timeoutMs: 20_000 });
  await supervisor.stop();
  expect(isRunning(running[NAME])).toBe(false);
});
