// @ts-check
import { spawn } from 'node:child_process';
import { closeSync } from 'node:fs';
import { ROOT } from './home.mjs';
import { logFileOf, openLog, tailOf } from './log-files.mjs';
import { isListening } from './ports.mjs';
import { privately } from './private-files.mjs';
import { refOf, terminate } from './processes.mjs';
import { log } from './progress.mjs';
import { lastLines } from './run.mjs';
import { SERVICE_FLAGS, STOP_GRACE_MS } from './services.mjs';
import { eventually } from './wait.mjs';

/**
 * @typedef {{ name: string, file: string, env: Record<string, string>, healthUrl: string, flags?: string[] }} Program
 * `flags`: additional Node flags
 */
/** @typedef {{ program: Program, pid: number, quickFailures: number, startedAt: number, isRenewed?: boolean, timer?: NodeJS.Timeout | undefined, ref?: import('./processes.mjs').ProcessRef | undefined }} Kept */

const LONGEST_PAUSE_MS = 30_000;
/** Uptime after which a program counts as healthy. A later crash then counts as its first. */
const SOUND_AFTER_MS = 60_000;
const GIVE_UP_AT_START_AFTER = 3;

/**
 * Keeps programs running. Each program has its own process group, so that Ctrl-C reaches only the supervisor, and
 * writes to its own log. A program that exits is restarted with increasing delays.
 * @param {Program[]} programs
 * @param {(running: Record<string, import('./processes.mjs').ProcessRef | undefined>) => void} onChange
 */
export function createSupervisor(programs, onChange) {
  /** @type {Kept[]} */
  const kept = programs.map((program) => ({ program, pid: 0, quickFailures: 0, startedAt: 0 }));
  let stopping = false;
  const changed = () => onChange(Object.fromEntries(kept.map(({ program, ref }) => [program.name, ref])));

  const launch = (/** @type {Kept} */ one) => {
    const output = openLog(one.program.name);
    const args = [...SERVICE_FLAGS, ...(one.program.flags ?? []), one.program.file];
    const child = privately(() =>
      spawn(process.execPath, args, {
        cwd: ROOT,
        env: one.program.env,
        detached: true,
        stdio: ['ignore', output, output],
      }),
    );
    closeSync(output);
    one.pid = child.pid ?? 0;
    one.startedAt = Date.now();
    one.ref = refOf(one.pid);
    // The Node binary may be missing briefly during a package installation.
    child.once('error', ({ message }) => ended(one, message));
    child.once('exit', (code, signalName) => {
      // Ignore the late exit event of a replaced process.
      if (!one.isRenewed && one.pid === child.pid) ended(one, signalName ?? `code ${code}`);
    });
    changed();
  };

  const ended = (/** @type {Kept} */ one, /** @type {string} */ how) => {
    one.ref = undefined;
    if (stopping) return;
    one.quickFailures = Date.now() - one.startedAt > SOUND_AFTER_MS ? 1 : one.quickFailures + 1;
    const pauseMs = Math.min(LONGEST_PAUSE_MS, 250 * 2 ** one.quickFailures);
    log(
      `! ${one.program.name} ended (${how}); starting it again in ${pauseMs / 1000} s (npm run logs -- ${one.program.name})`,
    );
    one.timer = setTimeout(() => launch(one), pauseMs);
    changed();
  };

  return {
    start() {
      kept.forEach(launch);
    },
    /** Restarts programs immediately because their files changed. */
    async renew(/** @type {string[]} */ names) {
      const renewed = kept.filter(({ program }) => names.includes(program.name));
      for (const one of renewed) {
        clearTimeout(one.timer);
        one.isRenewed = true;
        one.quickFailures = 0;
      }
      await terminate(
        renewed.flatMap(({ ref }) => (ref ? [ref.pid] : [])),
        STOP_GRACE_MS,
      );
      for (const one of renewed) {
        one.isRenewed = false;
        if (!stopping) launch(one);
      }
    },
    /** Waits until each program is ready. Throws an error with the end of the log when a program cannot start. */
    async ready(/** @type {number} */ timeoutMs) {
      await Promise.all(
        kept.map((one) =>
          eventually(`${one.program.name} to be ready`, () => isReady(one), { timeoutMs }).catch((error) => {
            throw new Error(`${error.message}\n${lastLines(tailOf(logFileOf(one.program.name)), 15)}`);
          }),
        ),
      );
    },
    /** Stops all programs, with SIGKILL after a grace period. */
    async stop() {
      stopping = true;
      kept.forEach((one) => clearTimeout(one.timer));
      return terminate(
        kept.flatMap(({ ref }) => (ref ? [ref.pid] : [])),
        STOP_GRACE_MS,
      );
    },
  };
}

async function isReady(/** @type {Kept} */ one) {
  if (one.quickFailures >= GIVE_UP_AT_START_AFTER) throw new Error(`${one.program.name} does not start`);
  if (!one.ref || !isListening(one.pid, Number(new URL(one.program.healthUrl).port))) return false;
  return fetch(one.program.healthUrl, { signal: AbortSignal.timeout(2000) }).then(
    (answer) => answer.ok,
    () => false,
  );
}
