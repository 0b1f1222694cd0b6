import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { demo, ROOT } from './installation';

const run = promisify(execFile);
const STEPS = join(ROOT, 'apps/e2e/src/python-client.py');

export interface PythonClient {
  /** Runs a step of `python-client.py` with an API key. @returns its output */
  step<Found>(name: string, given: object, options: { apiKey: string; baseUrl?: string }): Promise<Found>;
  remove(): void;
}

/** Installs the Python client that the gateway serves. */
export async function installPythonClient(): Promise<PythonClient> {
  await run('python3', ['-m', 'pip', '--version']).catch((cause: unknown) => {
    throw new Error('these tests need python3 with pip: install them', { cause });
  });
  const list = await (await fetch(`${demo.baseUrl.replace(/\/v1$/, '')}/llms.txt`)).text();
  const [, wheel = ''] = /`pip install (\S+)`/.exec(list) ?? [];
  const folder = mkdtempSync(join(tmpdir(), 'python-client-'));
  await run('python3', ['-m', 'pip', 'install', '--no-index', '--no-deps', '--target', folder, wheel]);
  return {
    async step<Found>(
      name: string,
      given: object,
      { apiKey, baseUrl = demo.baseUrl }: { apiKey: string; baseUrl?: string },
    ): Promise<Found> {
      const env = { ...process.env, PYTHONPATH: folder, BASE_URL: baseUrl, API_KEY: apiKey };
      const running = run('python3', ['-W', 'error', STEPS, name], { env });
      running.child.stdin?.end(JSON.stringify(given));
      return JSON.parse((await running).stdout) as Found;
    },
    remove: () => rmSync(folder, { recursive: true }),
  };
}
