import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { type Installation, startInstallation as start } from '../../tools/chaos/installation.mjs';

export { control } from '../../tools/chaos/customers.mjs';
export type { Installation };

/** API credentials of a customer. */
export interface Access extends Pick<Installation, 'baseUrl'> {
  apiKey: string;
}

/**
 * Starts services, simulator, database and broker for a benchmark, in the same way as the chaos tests.
 * @param redundancy additional broker nodes and a database standby; one server of each when absent
 */
export async function startInstallation(
  name: string,
  environment: Record<string, string> = {},
  redundancy: { brokerNodes?: number; standby?: boolean } = {},
): Promise<Installation> {
  return start({ name: `bench-${name}`, environment: { LOG_LEVEL: 'info', ...environment }, ...redundancy });
}

/** Returns the environment of services that write CPU profiles; empty when no profiles are requested. */
export function profilingWith(
  program: string,
  programs: string,
  profileDir: string | undefined,
): Record<string, string> {
  if (profileDir === undefined) return {};
  return { NODE_OPTIONS: `--import=${join(programs, program)}`, BENCH_PROFILE_DIR: profileDir };
}

/** Reads a service's log until the service is ready. @throws Error when the log ends first */
export async function serviceStarted(log: Readable): Promise<void> {
  const lines = createInterface({ input: log });
  const ended = once(lines, 'close').then(() => Promise.reject(new Error('the service ended before it had started')));
  const started = new Promise<void>((resolve) => {
    lines.on('line', (line) => {
      if (line.includes('"service.started"')) resolve();
    });
  });
  await Promise.race([started, ended]);
}

/** Seeds the demo account on plans whose limits no benchmark reaches. */
export async function seedDemo({ ops, baseUrl }: Installation): Promise<Access & { accountId: string }> {
  const limits = ['--rate-limit', '1000000', '--bulk-recipients', '1000000'];
  for (const plan of ['growth', 'scale']) await ops('plans', 'set', '--name', plan, ...limits);
  const { apiKey, accountId } = await ops('demo', 'seed');
  return { baseUrl, apiKey: String(apiKey), accountId: String(accountId) };
}

/** Sends an API request. @throws Error for an error response */
export async function request<Answer>(
  { baseUrl, apiKey }: Access,
  method: string,
  path: string,
  body?: object,
): Promise<Answer> {
  const headers = { authorization: `Bearer ${apiKey}`, ...(body && { 'content-type': 'application/json' }) };
  const answer = await fetch(`${baseUrl}${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) });
  if (!answer.ok)
    throw new Error(`${method} ${path} was answered ${answer.status}: ${(await answer.text()).slice(0, 500)}`);
  return (await answer.json()) as Answer;
}

/** Returns the first template without variables, once the service has read the templates. */
export async function plainTemplate(access: Access): Promise<{ name: string; language: string }> {
  for (let attempt = 0; attempt < 200; attempt += 1) {
    const { templates = [] } = await request<{
      templates?: { name: string; language: string; components: object[] }[];
    }>(access, 'GET', '/templates');
    const plain = templates.find(({ components }) => !JSON.stringify(components).includes('{{'));
    if (plain) return plain;
    await delay(250);
  }
  throw new Error('no template without variables appeared');
}

/** Starts the baseline: a single-file Fastify app that stores each send and calls the simulator. */
export async function startFloor(
  { databaseUrl, simulatorUrl }: Installation,
  { programs, home }: { programs: string; home: string },
): Promise<{ floor: ChildProcess; address: string }> {
  const { accessToken } = JSON.parse(readFileSync(join(home, 'secrets.json'), 'utf8')) as { accessToken: string };
  // Id of the simulator's demo number.
  const path = '/v24.0/200000000000002/messages';
  const program = join(programs, 'send-floor.mjs');
  const floor = spawn(process.execPath, [program, databaseUrl, simulatorUrl, path, accessToken], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(floor, 'exit').then(() => Promise.reject(new Error('the floor ended before it was asked to')));
  const [address] = (await Promise.race([once(floor.stdout, 'data'), ended])) as [Buffer];
  return { floor, address: address.toString().trim() };
}
