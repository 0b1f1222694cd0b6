// @ts-check
import { spawn } from 'node:child_process';
import { terminate } from './processes.mjs';

const INTERRUPT_GRACE_MS = 5000;

/** @type {Set<import('node:child_process').ChildProcess>} */
const children = new Set();
let interrupted = false;
// Kill the child processes of an interrupted start
process.on('exit', () => children.forEach((child) => child.kill()));

/**
 * Terminates all running child processes and prevents new ones, except those needed for stopping. Waits until they have
 * exited, because npm, for example, rolls back first.
 */
export async function interruptRuns() {
  interrupted = true;
  await terminate(
    [...children].flatMap(({ pid }) => pid ?? []),
    INTERRUPT_GRACE_MS,
  );
}

/**
 * @typedef {object} RunOptions
 * @property {string} [cwd]
 * @property {NodeJS.ProcessEnv} [env] complete environment; inherited by default
 * @property {number} [timeoutMs] the program is killed after this time; 10 minutes by default
 * @property {boolean} [evenWhenInterrupted] set for programs that are needed for stopping
 */

/**
 * Runs a program and returns its exit code and output. Never throws: the exit code is 127 for a missing program and 124
 * after a timeout.
 * @param {string} command
 * @param {string[]} args
 * @param {RunOptions} [options]
 * @returns {Promise<{ code: number, output: string }>}
 */
export function run(command, args, { cwd, env = process.env, timeoutMs = 600_000, evenWhenInterrupted = false } = {}) {
  if (interrupted && !evenWhenInterrupted) return Promise.resolve({ code: 130, output: 'interrupted' });
  return new Promise((resolve) => {
    const child = spawn(command, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
    children.add(child);
    let output = '';
    let timedOut = false;
    const collect = (/** @type {Buffer} */ chunk) => {
      output += chunk;
    };
    const timer = setTimeout(() => {
      timedOut = true;
      output += `\nIt took longer than ${timeoutMs / 1000} seconds and was stopped.`;
      child.kill('SIGKILL');
    }, timeoutMs);
    const finish = (/** @type {number} */ code) => {
      clearTimeout(timer);
      children.delete(child);
      resolve({ code, output });
    };
    child.stdout.on('data', collect);
    child.stderr.on('data', collect);
    child.on('error', (error) => {
      output += error.message;
      finish(127);
    });
    child.on('close', (code) => finish(timedOut ? 124 : (code ?? 1)));
  });
}

/** Runs a program like {@link run}, but throws an error with the output when the program fails. Returns the output. */
export async function mustRun(
  /** @type {string} */ command,
  /** @type {string[]} */ args,
  /** @type {RunOptions} */ options = {},
) {
  const { code, output } = await run(command, args, options);
  if (code !== 0) throw new Error(`${[command, ...args].join(' ')} ended with ${code}:\n${lastLines(output, 40)}`);
  return output;
}

export function lastLines(/** @type {string} */ text, /** @type {number} */ count) {
  return text.trimEnd().split('\n').slice(-count).join('\n');
}
