// @ts-check
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { ROOT } from '../../tools/lib/home.mjs';

/** Ends the installation and removes its data, its database and its queues' messages with it. */
export default async function tearDown() {
  const environment = { ...process.env, ...JSON.parse(process.env['E2E_ENVIRONMENT'] ?? '{}') };
  execFileSync(process.execPath, [join(ROOT, 'tools/reset.mjs')], { cwd: ROOT, env: environment, stdio: 'inherit' });
  /** @type {import('node:http').Server | undefined} */ (Reflect.get(globalThis, 'e2eCollector'))?.close();
}
