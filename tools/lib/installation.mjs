// @ts-check
import { stopInfra } from '../infra/index.mjs';
import { HOME, homePath, SUPERVISOR_LOCK } from './home.mjs';
import { readJson, writeJson } from './json-file.mjs';
import { lockOwner, tryLock } from './lock.mjs';
import { processesMarked, signal, stampOf, terminate } from './processes.mjs';
import { HOME_MARK, SERVICE_MARK, STOP_GRACE_MS } from './services.mjs';
import { happensWithin } from './wait.mjs';

const RUN = homePath('run.json');
const DEMO = homePath('demo.json');
/** The supervisor itself promises to be gone within 10 s. */
/** It waits for its programs, and then for the broker and the database. */
const SUPERVISOR_STOP_MS = STOP_GRACE_MS + 10_000;

/** @typedef {{ baseUrl: string, apiKey: string, accountId: string, phoneNumber: string, contact: string, simulatorUrl: string, docsUrl: string, dashboardUrl: string, dashboardEmail: string, dashboardPassword: string }} Demo */

/** Makes this process the one supervisor of the installation; undefined when another one lives. */
export function becomeSupervisor() {
  return tryLock(SUPERVISOR_LOCK);
}

/** The process number of the living supervisor. */
export function supervisorPid() {
  return lockOwner(SUPERVISOR_LOCK);
}

/** What runs, written by the supervisor alone. */
export function writeRun(
  /** @type {{ state: 'starting' | 'ready', ports: Record<string, number>, programs: Record<string, unknown> }} */ run,
) {
  writeJson(RUN, { supervisor: process.pid, ...run });
}

/**
 * What runs, as the living supervisor wrote it.
 * @returns {Parameters<typeof writeRun>[0] | undefined}
 */
export function readRun() {
  const run = readJson(RUN);
  return run !== undefined && run.supervisor === supervisorPid() ? run : undefined;
}

/** Whether the living supervisor has everything up. */
export function isReady() {
  return readRun()?.state === 'ready';
}

/** @returns {Demo | undefined} */
export function readDemo() {
  return readJson(DEMO);
}

export function writeDemo(/** @type {Demo} */ demo) {
  writeJson(DEMO, demo);
}

/**
 * Ends programs of this installation that have no supervisor any more (it was killed). Recognised by their environment,
 * so no one else's are touched.
 */
export async function endOrphans() {
  const orphans = processesMarked({ [HOME_MARK]: HOME, [SERVICE_MARK]: undefined });
  if (orphans.length === 0) return [];
  const ended = await terminate(
    orphans.map(({ pid }) => pid),
    STOP_GRACE_MS,
  );
  if (!ended)
    throw new Error(
      `could not end ${orphans.map(({ pid, env }) => `${env[SERVICE_MARK]} (process ${pid})`).join(', ')}`,
    );
  return orphans.map(({ env }) => String(env[SERVICE_MARK]));
}

/**
 * Ends the supervisor and with it everything it started; then whatever an earlier one left. Gives what there was to
 * end.
 */
export async function stopInstallation() {
  const pid = supervisorPid();
  if (pid !== undefined) signal(pid, 'SIGTERM');
  if (pid !== undefined && !(await happensWithin(SUPERVISOR_STOP_MS, () => stampOf(pid) === undefined))) {
    if (!(await terminate([pid], 0))) throw new Error(`the supervisor (process ${pid}) does not end`);
  }
  const orphans = await endOrphans();
  const infraStopped = await stopInfra();
  return { wasRunning: pid !== undefined || orphans.length > 0, infraStopped };
}
