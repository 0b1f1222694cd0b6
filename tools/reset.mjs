// @ts-check
// npm run reset: stops the installation and deletes all of its data, logs and secrets.
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { removeInfraData } from './infra/index.mjs';
import { HOME, SHARED_HOME } from './lib/home.mjs';
import { stopInstallation } from './lib/installation.mjs';
import { say } from './lib/progress.mjs';

try {
  // A mistyped SWITCHBOARD_HOME must not delete an unrelated directory.
  if (HOME !== SHARED_HOME && existsSync(HOME) && !existsSync(join(HOME, 'infra.json')))
    throw new Error(`${HOME} is not the home of an installation`);
  const { infraStopped } = await stopInstallation();
  if (!infraStopped) throw new Error('tests still use PostgreSQL and RabbitMQ of this installation: wait for them');
  await removeInfraData();
  rmSync(HOME, { recursive: true, force: true });
  say(`Removed ${HOME}.`);
} catch (error) {
  say(`Cannot reset: ${error instanceof Error ? error.message : error}`);
  process.exitCode = 1;
}
