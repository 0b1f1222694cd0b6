// @ts-check
// npm stop: stops the installation, even if its supervisor was killed.
import { stopInstallation } from './lib/installation.mjs';
import { say } from './lib/progress.mjs';

try {
  const { wasRunning, infraStopped } = await stopInstallation();
  say(wasRunning ? 'Stopped.' : 'Nothing was running.');
  if (!infraStopped) say('PostgreSQL and RabbitMQ keep running: tests use them.');
} catch (error) {
  say(`Cannot stop: ${error instanceof Error ? error.message : error}`);
  process.exitCode = 1;
}
