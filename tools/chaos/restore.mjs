// @ts-check
import { join } from 'node:path';
import { makeFolder } from '../lib/private-files.mjs';
import { say, step } from '../lib/progress.mjs';
import { mustRun, run } from '../lib/run.mjs';
import { chaosTest } from './chaos-test.mjs';
import { endAll, LEAST_HELD, loseEverything, startAgain, untilAnswered } from './lose-everything.mjs';
import { compareLoad, startMixedLoad } from './mixed-load.mjs';
import { figures, problems, verdict } from './report.mjs';

/** @typedef {import('./installation.mjs').Installation} Installation */

const DUMP_TIMEOUT_MS = 300_000;

/**
 * Proves guarantee 36 of ADR 41 with the steps of docs/operations/backup-restore.md. First only the broker is lost, and
 * all accepted work must survive. Then everything but a dump is lost, and all work accepted before the dump must
 * survive. Options: the number of responses before each loss.
 */
export const restore = chaosTest({
  about:
    'loses the broker, then everything but a dump, with messages, jobs, codes and webhooks in flight; compares accepted work with the restored data',
  takes: { long: '5 minutes', short: '2 minutes' },
  long: { answers: 600 },
  short: { answers: 150 },
  postgresPrograms: ['pg_dump', 'pg_dumpall', 'pg_restore', 'psql'],
  async run(installation, { answers }) {
    const isKeptWithoutBroker = await loseBroker(installation, answers);
    return (await loseEverything(installation, answers, dumpOf(installation))) && isKeptWithoutBroker;
  },
});

/** Loses the broker's data and keeps the database. */
async function loseBroker(/** @type {Installation} */ installation, /** @type {number} */ answers) {
  const load = await step('account, windows, endpoint', () => startMixedLoad(installation, 'restore-broker'));
  try {
    await step(`${answers} answers`, () => untilAnswered(load, answers));
    const held = await step('everything ends while the broker holds messages', () => endAll(installation, load));
    await step('an empty broker, and a start', async () => {
      await installation.emptyBroker();
      await startAgain(installation);
    });
    const compared = await step('everything settled', () => compareLoad(installation, load));
    const { accepted, lost, doubled, unexpected, again } = compared;
    say('\nthe broker was lost');
    figures({
      accepted,
      'held by the broker': held,
      lost: lost.length,
      doubled: doubled.length,
      unexpected: unexpected.length,
      'webhooks again': again,
    });
    problems({ lost, doubled, unexpected });
    return verdict(
      held >= LEAST_HELD && accepted > 0 && lost.length + doubled.length + unexpected.length === 0,
      'with its database an installation loses nothing that it accepted, whatever the broker held',
    );
  } finally {
    await load.stop();
    load.close();
  }
}

/**
 * Returns a backup method that uses a dump.
 * @returns {import('./lose-everything.mjs').Backup}
 */
function dumpOf(/** @type {Installation} */ installation) {
  const folder = join(installation.probeFolder, 'backup');
  makeFolder(folder);
  return {
    name: 'restore-dump',
    loss: 'all but a dump was lost',
    promise: 'a dump, the files and the key bring back all that was accepted before the dump',
    isExact: false,
    async backUp() {
      const dumpedAt = Date.now();
      await step('dump, while it runs', () => dump(installation, folder));
      return dumpedAt;
    },
    restore: () => step('a new server with the dump', () => restoreDump(installation, folder)),
  };
}

async function dump(/** @type {Installation} */ { database, databaseUrl }, /** @type {string} */ folder) {
  const call = (/** @type {string} */ program, /** @type {string[]} */ ...args) =>
    mustRun(join(database.programs, program), args, { cwd: folder, timeoutMs: DUMP_TIMEOUT_MS });
  await call('pg_dumpall', '--roles-only', '--no-role-passwords', '--file=roles.sql', `--dbname=${database.url}`);
  await call('pg_dump', '--format=custom', '--file=switchboard.dump', `--dbname=${databaseUrl}`);
}

async function restoreDump(/** @type {Installation} */ { database }, /** @type {string} */ folder) {
  await database.startEmpty();
  const call = (/** @type {string} */ program) => join(database.programs, program);
  const options = { cwd: folder, timeoutMs: DUMP_TIMEOUT_MS };
  // psql reports that the server's initial role already exists, and continues.
  await run(call('psql'), ['--quiet', '--file=roles.sql', database.url], options);
  const args = ['--create', '--exit-on-error', `--dbname=${database.url}`, 'switchboard.dump'];
  await mustRun(call('pg_restore'), args, options);
}
