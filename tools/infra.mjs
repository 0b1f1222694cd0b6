// @ts-check
// npm run infra: starts this checkout's PostgreSQL and RabbitMQ without the services, for example to restore a dump
// (docs/operations/backup-restore.md). `npm stop` stops them.
import { ensurePackages } from './lib/packages.mjs';
import { log, say } from './lib/progress.mjs';

try {
  await ensurePackages({ log });
  const { ensureInfra } = await import('./infra/index.mjs');
  await ensureInfra({ log });
  say('PostgreSQL and RabbitMQ run; `npm stop` stops them. Their addresses are in .local/infra.json.');
  process.exit(0);
} catch (error) {
  say(`Cannot start: ${error instanceof Error ? error.message : error}`);
  process.exit(1);
}
