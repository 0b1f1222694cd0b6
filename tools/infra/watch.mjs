// @ts-check
import { isRunning, refOf } from '../lib/processes.mjs';
import { ownPostgresPid } from './postgres.mjs';
import { ownRabbitmqPid } from './rabbitmq.mjs';
import { readInfra } from './state.mjs';

const LOOK_EVERY_MS = 2000;

/**
 * Restarts the private PostgreSQL or RabbitMQ when its process exits while the installation is running. Ignores servers
 * that the installation only found.
 * @param {{ log: (text: string) => void, restart: () => Promise<unknown> }} options
 * @returns {Promise<() => void>} stops watching
 */
export async function watchInfra({ log, restart }) {
  let watched = await ownServers();
  let busy = false;
  const look = async () => {
    const ended = watched.filter(({ ref }) => !isRunning(ref));
    if (busy || ended.length === 0) return;
    busy = true;
    log(`! ${ended.map(({ name }) => name).join(' and ')} ended; starting again`);
    await restart().catch((error) => log(`! ${error.message}`));
    watched = await ownServers();
    busy = false;
  };
  const timer = setInterval(() => void look(), LOOK_EVERY_MS);
  return () => clearInterval(timer);
}

async function ownServers() {
  const { postgres, rabbitmq } = readInfra();
  const servers = [
    { name: 'PostgreSQL', pid: postgres?.kind === 'local' ? await ownPostgresPid(postgres) : undefined },
    { name: 'RabbitMQ', pid: rabbitmq?.kind === 'local' ? ownRabbitmqPid(rabbitmq) : undefined },
  ];
  return servers.flatMap(({ name, pid }) => (pid === undefined ? [] : [{ name, ref: refOf(pid) }]));
}
