// @ts-check
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { compareTruth } from './compare-truth.mjs';
import { openRpcClient } from './rpc-client.mjs';
import { SCENARIOS } from './truth-scenarios.mjs';
import { newSurroundings, startReceiver } from './truth-surroundings.mjs';

/** @typedef {import('./installation.mjs').Installation} Installation */

/** @typedef {Awaited<ReturnType<typeof openScenarios>>} Scenarios */

/**
 * Opens the scenarios of all commands with side effects that both versions know.
 * @param {Installation} installation
 * @param {Record<string, string>} checkouts checkout of the other version, by service
 */
export async function openScenarios(installation, checkouts) {
  const scenarios = Object.entries(SCENARIOS).filter(([, { command }]) => {
    const owner = String(command.split('.')[0]);
    return [owner, 'gateway'].every((service) => contractsOf(checkouts[service]).includes(`'${command}'`));
  });
  const [receiver, rpc] = await Promise.all([startReceiver(), openRpcClient(installation)]);
  const pool = new pg.Pool({ connectionString: installation.databaseUrl, max: 4 });
  return {
    names: scenarios.map(([name]) => name),
    /**
     * Runs each scenario once with its own account.
     * @returns {Promise<string[]>} scenarios that failed or did not have exactly one effect
     */
    async tryAll() {
      const options = { receiverUrl: receiver.url, rpc, pool, phones: scenarios.length };
      const surroundings = await newSurroundings(installation, options);
      const told = await Promise.all(
        scenarios.map(async ([scenario, { prepare }]) => {
          const { request, effects } = await prepare(surroundings);
          const answer = await request();
          return { scenario, status: answer.status, effects: await effects(answer) };
        }),
      );
      const { lost, doubled, untrue, unexpected } = compareTruth(told);
      const refused = told.filter(({ status }) => [0, 503, 504].includes(status));
      return [
        ...lost,
        ...doubled,
        ...untrue,
        ...unexpected,
        ...refused.map(({ scenario, status }) => `${scenario} was answered ${status || 'nothing'}`),
      ];
    },
    async close() {
      await Promise.all([pool.end(), rpc.close()]);
      receiver.close();
    },
  };
}

/** Returns the source code of all contracts of a version. */
function contractsOf(/** @type {string | undefined} */ checkout) {
  const folder = join(String(checkout), 'libs/contracts/src');
  const files = readdirSync(folder, { encoding: 'utf8', recursive: true }).filter((name) => /\.v\d+\.ts$/.test(name));
  return files.map((name) => readFileSync(join(folder, name), 'utf8')).join('\n');
}
