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
/** Maximum time for the supervisor to exit. It waits for its programs, then for the broker and the database. */
const SUPERVISOR_STOP_MS = STOP_GRACE_MS + 10_000;

/** @typedef {{ baseUrl: string, apiKey: string, accountId: string, phoneNumber: string, contact: string, simulatorUrl: string, docsUrl: string, dashboardUrl: string, dashboardEmail: string, dashboardPassword: string }} Demo */

/** Makes this process the installation's only supervisor. Returns undefined when another one is running. */
export function becomeSupervisor() {
  return tryLock(SUPERVISOR_LOCK);
}

/** Returns the process id of the running supervisor. */
export function supervisorPid() {
  return lockOwner(SUPERVISOR_LOCK);
}

/** Writes the state of the installation. Only the supervisor may call this. */
export function writeRun(
  /** @type {{ state: 'starting' | 'ready', ports: Record<string, number>, programs: Record<string, unknown> }} */ run,
) {
  writeJson(RUN, { supervisor: process.pid, ...run });
}

/**
 * Reads the state written by the running supervisor.
 * @returns {Parameters<typeof writeRun>[0] | undefined}
 */
export function readRun() {
  const run = readJson(RUN);
  return run !== undefined && run.supervisor === supervisorPid() ? run : undefined;
}

/** Returns true when a supervisor is running and reports that everything is ready. */
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
 * Terminates programs of this installation whose supervisor was killed. Identifies them by their environment, so that
 * no other process is affected.
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
 * Stops the supervisor and everything it started, then processes left over from earlier runs. Returns what was running.
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
