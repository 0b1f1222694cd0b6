// @ts-check
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { SHARED_HOME } from '../lib/home.mjs';
import { withLock } from '../lib/lock.mjs';
import { unpackPackages } from './debian-packages.mjs';

const UNPACK_TIMEOUT_MS = 300_000;

/**
 * Returns the path of Docker Compose, which validates Compose files even without Docker. Debian has included version 2
 * since trixie.
 * @param {{ log: (text: string) => void }} options
 */
export async function ensureDockerCompose({ log }) {
  const folder = join(SHARED_HOME, 'docker-compose');
  const program = join(folder, 'root/usr/libexec/docker/cli-plugins/docker-compose');
  const wanted = { title: 'Docker Compose', size: '13 MB', choose: async () => ['docker-compose'], suite: 'trixie' };
  await withLock(`${folder}.lock`, { timeoutMs: UNPACK_TIMEOUT_MS }, async () => {
    if (!existsSync(program)) await unpackPackages(folder, wanted, log);
  });
  return program;
}
