// @ts-check
import { execFileSync } from 'node:child_process';
import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../../tools/lib/home.mjs';
import { E2E_HOME } from './global-setup.mjs';

/** Where the services' logs of the last run stay: a test that fails once in many runs can be explained by nothing else. */
const KEPT_LOGS = join(ROOT, '.local', 'e2e-logs');

/** Ends the installation and removes its data, its database and its queues' messages with it. */
export default async function tearDown() {
  if (process.env['CONFORMANCE_TARGET'] !== undefined) return;
  rmSync(KEPT_LOGS, { recursive: true, force: true });
  cpSync(join(E2E_HOME, 'logs'), KEPT_LOGS, { recursive: true });
  const environment = { ...process.env, ...JSON.parse(process.env['E2E_ENVIRONMENT'] ?? '{}') };
  execFileSync(process.execPath, [join(ROOT, 'tools/reset.mjs')], { cwd: ROOT, env: environment, stdio: 'inherit' });
  /** @type {import('node:http').Server | undefined} */ (Reflect.get(globalThis, 'e2eCollector'))?.close();
}
