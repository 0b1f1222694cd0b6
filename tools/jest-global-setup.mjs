// @ts-check
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureInfra } from './infra/index.mjs';

/**
 * Gives integration tests a PostgreSQL admin login and a broker, unless the caller set them, and a folder for the broker namespaces that they
 * hand on to each other. The servers keep running for the next run; `npm stop` ends them.
 */
export default async function setUp() {
  process.env['TEST_NAMESPACES'] = mkdtempSync(join(tmpdir(), 'switchboard-namespaces-'));
  if (process.env['TEST_DATABASE_URL'] && process.env['TEST_RABBITMQ_URL']) return;
  const infra = await ensureInfra({ log: (text) => process.stderr.write(`${text}\n`) });
  process.env['TEST_DATABASE_URL'] ??= infra.databaseUrl;
  process.env['TEST_RABBITMQ_URL'] ??= infra.rabbitmqUrl;
}
