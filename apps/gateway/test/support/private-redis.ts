import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

export interface PrivateRedis {
  url: string;
  kill9(): Promise<void>;
  stop(): Promise<void>;
  start(): Promise<void>;
}

interface Infra {
  startPrivateRedis(options: { dir: string; port: number }): Promise<PrivateRedis>;
}

/** Starts a Redis for a single test, which may kill it. */
export async function startThrowAwayRedis(): Promise<PrivateRedis & { remove(): Promise<void> }> {
  const tools = resolve(import.meta.dirname, '../../../../tools');
  // The tools are plain JavaScript, since they run before dependencies are installed.
  const { startPrivateRedis } = (await import(join(tools, 'infra/index.mjs'))) as Infra;
  const { anyFreePort } = (await import(join(tools, 'lib/ports.mjs'))) as { anyFreePort(): Promise<number> };
  const dir = await mkdtemp(join(tmpdir(), 'switchboard-redis-'));
  const redis = await startPrivateRedis({ dir, port: await anyFreePort() });
  const remove = async (): Promise<void> => {
    await redis.stop();
    await rm(dir, { recursive: true, force: true });
  };
  return Object.assign(redis, { remove });
}
