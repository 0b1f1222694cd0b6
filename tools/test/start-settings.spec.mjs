// @ts-check
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT } from '../lib/home.mjs';
import { ensurePackages } from '../lib/packages.mjs';

const home = mkdtempSync(join(tmpdir(), 'switchboard-start-'));

beforeAll(() => ensurePackages({ log: () => undefined }));
afterAll(() => rmSync(home, { recursive: true }));

/** Runs `npm start` with these settings instead of those of this process. */
function start(/** @type {Record<string, string>} */ settings) {
  const env = { PATH: process.env['PATH'], SWITCHBOARD_HOME: home, ...settings };
  const { status, stdout } = spawnSync(process.execPath, ['tools/start.mjs'], {
    cwd: ROOT,
    env,
    encoding: 'utf8',
    timeout: 60_000,
  });
  return { status, stdout };
}

test('npm start reports all invalid settings once before starting anything', () => {
  const { status, stdout } = start({
    LOG_LEVEL: 'loud',
    GATEWAY_PORT: 'here',
    SIMULATOR_SENT_DELAY_MS: 'soon',
  });
  expect(status).toBe(1);
  const [, list = ''] = stdout.split('the environment has settings that are not valid:\n');
  const reported = list.split('\n').filter((line) => /^ {2}[A-Z_]+: /.test(line));
  expect(reported).toEqual([
    expect.stringContaining('LOG_LEVEL: Invalid option: expected one of "debug"'),
    expect.stringContaining('GATEWAY_PORT: '),
    expect.stringContaining('SIMULATOR_SENT_DELAY_MS: '),
  ]);
  expect(list).toContain('    read by gateway, messaging, templates, otp, jobs, webhooks, simulator\n');
  expect(stdout).not.toContain('…');
  expect(readdirSync(home)).not.toContain('infra.json');
});

test('npm start reports settings that are invalid only in combination', () => {
  const { status, stdout } = start({ UPSTREAM_TIMEOUT_MS: '60000', RECONCILE_GRACE_SECONDS: '60' });
  expect(status).toBe(1);
  expect(stdout).toContain(
    '  RECONCILE_GRACE_SECONDS: must be longer than UPSTREAM_TIMEOUT_MS\n    read by messaging\n',
  );
});

test('npm start reports both problems of a shared setting', () => {
  const { stdout } = start({ UPSTREAM_TIMEOUT_MS: 'soon' });
  expect(stdout.match(/^ {2}UPSTREAM_TIMEOUT_MS: .*\n {4}read by .*$/gm)).toEqual([
    expect.stringMatching(/read by messaging$/),
    expect.stringMatching(/read by templates$/),
  ]);
});

test('npm start reports the output of a failed settings check', () => {
  const noProgram = join(ROOT, 'package.json');
  const { status, stdout } = start({ LOG_LEVEL: 'loud', ESBUILD_BINARY_PATH: noProgram });
  expect(status).toBe(1);
  expect(stdout).toContain('the check of the settings failed:\n');
  expect(stdout).toContain(`spawn ${noProgram} EACCES`);
  expect(stdout).not.toContain('not valid');
});
