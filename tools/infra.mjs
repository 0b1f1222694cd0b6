// @ts-check
// npm run infra: starts this checkout's PostgreSQL and RabbitMQ without the services, for example to restore a dump
// (docs/operations/backup-restore.md). Options select the redundancy of production: a broker cluster, and a database
// with a synchronous standby. `npm start` then uses these servers, and `npm stop` stops them.
import { parseArgs } from 'node:util';
import { ensurePackages } from './lib/packages.mjs';
import { log, say } from './lib/progress.mjs';

const USAGE = `usage: npm run infra [-- [--broker-nodes <number>] [--standby]]
  --broker-nodes <number>  starts a RabbitMQ 4 cluster of 3 or 5 nodes behind one address; 1 is a single broker
  --standby                starts a PostgreSQL primary and a synchronous standby behind one address
Restarts a server that exits, and promotes the standby when the primary fails, as in production. Without options, starts
the same servers as last time, initially one RabbitMQ and one PostgreSQL. Their addresses are in .local/infra.json.
`;

const { brokerNodes, standby } = readOptions();
try {
  await ensurePackages({ log, omitDev: true });
  const { ensureInfra } = await import('./infra/index.mjs');
  await ensureInfra({ log, brokerNodes, standby });
  say('PostgreSQL and RabbitMQ run; `npm stop` stops them. Their addresses are in .local/infra.json.');
  process.exit(0);
} catch (error) {
  say(`Cannot start: ${error instanceof Error ? error.message : error}`);
  process.exit(1);
}

function readOptions() {
  try {
    const { values } = parseArgs({
      options: { 'broker-nodes': { type: 'string' }, standby: { type: 'boolean' }, help: { type: 'boolean' } },
      strict: true,
    });
    if (values.help) exitWith(0, USAGE);
    const nodes = values['broker-nodes'];
    if (nodes !== undefined && !['1', '3', '5'].includes(nodes))
      throw new Error(`--broker-nodes is "${nodes}": it must be 1, 3 or 5, so that a majority can remain`);
    return { brokerNodes: nodes === undefined ? undefined : Number(nodes), standby: values.standby };
  } catch (error) {
    return exitWith(2, `${error instanceof Error ? error.message : error}\n${USAGE}`);
  }
}

/** @returns {never} */
function exitWith(/** @type {number} */ code, /** @type {string} */ text) {
  (code === 0 ? process.stdout : process.stderr).write(text);
  process.exit(code);
}
