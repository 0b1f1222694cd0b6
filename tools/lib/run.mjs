// @ts-check
import { spawn } from 'node:child_process';
import { terminate } from './processes.mjs';

const INTERRUPT_GRACE_MS = 5000;

/** @type {Set<import('node:child_process').ChildProcess>} */
const children = new Set();
let interrupted = false;
// A start that is interrupted leaves no installer behind
process.on('exit', () => children.forEach((child) => child.kill()));

/**
 * Ends all programs that run and lets no further one begin, except those that stopping needs. Waits until they are
 * gone: npm, for one, takes back what it did before it goes.
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
 * @property {NodeJS.ProcessEnv} [env] the whole environment; default: ours
 * @property {number} [timeoutMs] the program is killed after that; default 10 minutes
 * @property {boolean} [evenWhenInterrupted] for what stopping itself needs
 */

/**
 * Runs a program to its end and gives its exit code and all it printed. Never throws: a program that is missing is code
 * 127, one that took too long is 124.
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

/** Like {@link run}, but throws with what was printed when the program fails. Gives the output. */
export async function mustRun(
  /** @type {string} */ command,
  /** @type {string[]} */ args,
  /** @type {RunOptions} */ options = {},
) {
  const { code, output } = await run(command, args, options);
  if (code !== 0) throw new Error(`${[command, ...args].join(' ')} ended with ${code}:\n${lastLines(output, 40)}`);
  return output;
}

/** The last lines of a text. */
export function lastLines(/** @type {string} */ text, /** @type {number} */ count) {
  return text.trimEnd().split('\n').slice(-count).join('\n');
}
