// @ts-check
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { HOME_ID, ROOT, homePath } from '../lib/home.mjs';
import { readJson, writeJson } from '../lib/json-file.mjs';
import { lastLines, run } from '../lib/run.mjs';

const PROJECT = `switchboard-${HOME_ID}`;
const COMPOSE = ['compose', '-p', PROJECT, '-f', join(ROOT, 'docker/compose.infra.yaml')];

/** Returns the reason why Docker is unavailable, or undefined when it works. */
export async function whyNoDocker() {
  if ((await run('docker', ['info'], { timeoutMs: 10_000 })).code !== 0) return 'no Docker engine answers';
  if ((await run('docker', ['compose', 'version'], { timeoutMs: 10_000 })).code !== 0)
    return 'docker has no "compose" command';
  return undefined;
}

/**
 * Starts a service of the infrastructure file and waits until it is healthy.
 * @param {'postgres' | 'rabbitmq'} service
 * @param {number} port on 127.0.0.1
 * @returns {Promise<import('./choose.mjs').Attempt<{ url: string, port: number }>>}
 */
export async function startInDocker(service, port) {
  const { code, output } = await compose(['up', '-d', '--wait', service], service, port);
  if (code !== 0) return { ok: false, why: `docker compose up ended with ${code}: ${lastLines(output, 5)}` };
  const user = service === 'postgres' ? 'postgres' : 'switchboard';
  const scheme = service === 'postgres' ? 'postgres' : 'amqp';
  const url = new URL(`${scheme}://${user}:${passwords()[service]}@127.0.0.1:${port}`);
  if (service === 'postgres') url.pathname = '/switchboard';
  return { ok: true, found: { url: url.href, port } };
}

/** Stops the container of a service and keeps its data. */
export async function stopInDocker(/** @type {'postgres' | 'rabbitmq'} */ service) {
  await compose(['stop', service], service, 0);
}

/** Removes this installation's containers and their data. */
export async function removeFromDocker() {
  await compose(['down', '--volumes'], 'postgres', 0);
}

/**
 * @param {string[]} args
 * @param {'postgres' | 'rabbitmq'} service
 * @param {number} port
 */
function compose(args, service, port) {
  const { postgres, rabbitmq } = passwords();
  const ports =
    port === 0
      ? {}
      : {
          [`${service.toUpperCase()}_PORT`]: String(port),
          ...(service === 'rabbitmq' && { RABBITMQ_MANAGEMENT_PORT: String(port + 1) }),
        };
  return run('docker', [...COMPOSE, ...args], {
    env: { ...process.env, ...ports, POSTGRES_PASSWORD: postgres, RABBITMQ_PASSWORD: rabbitmq },
    evenWhenInterrupted: args[0] !== 'up',
  });
}

/** @returns {{ postgres: string, rabbitmq: string }} */
function passwords() {
  const path = homePath('docker.json');
  if (!existsSync(path))
    writeJson(path, { postgres: randomBytes(18).toString('hex'), rabbitmq: randomBytes(18).toString('hex') });
  return readJson(path);
}
