// @ts-check
import { ensureInfra } from './infra/index.mjs';

/** Gives integration tests a PostgreSQL admin login and a broker, unless the caller set them. They keep running for the next run; `npm stop` ends them. */
export default async function setUp() {
  if (process.env['TEST_DATABASE_URL'] && process.env['TEST_RABBITMQ_URL']) return;
  const infra = await ensureInfra({ log: (text) => process.stderr.write(`${text}\n`) });
  process.env['TEST_DATABASE_URL'] ??= infra.databaseUrl;
  process.env['TEST_RABBITMQ_URL'] ??= infra.rabbitmqUrl;
}
