// @ts-check
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { codeOf, unlessGone } from './json-file.mjs';
import { happensWithin } from './wait.mjs';

/** @typedef {{ pid: number, stamp: string }} ProcessRef identifies a process even after its process id is reused */

const hasProc = existsSync('/proc/self/stat');
const bootId = hasProc ? (unlessGone(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()) ?? '') : '';

/**
 * Returns the start time of a process as an opaque string, or undefined when the process is not running or is a zombie.
 */
export function stampOf(/** @type {number} */ pid) {
  if (!hasProc) return ps(pid, 'lstart=');
  const fields = statOf(pid);
  return fields === undefined || fields[0] === 'Z' ? undefined : `${bootId}/${fields[19]}`;
}

/** Returns a reference to a running process, or undefined when the process is not running. */
export function refOf(/** @type {number} */ pid) {
  const stamp = stampOf(pid);
  return stamp === undefined ? undefined : { pid, stamp };
}

/** Returns true when the referenced process is still running and its id was not reused. */
export function isRunning(/** @type {ProcessRef | undefined} */ ref) {
  return ref !== undefined && Number.isInteger(ref.pid) && stampOf(ref.pid) === ref.stamp;
}

/** Returns the command line of a process, separated by spaces, or an empty string when the process no longer exists. */
export function commandOf(/** @type {number} */ pid) {
  if (!hasProc) return ps(pid, 'command=') ?? '';
  return (unlessGone(() => readFileSync(`/proc/${pid}/cmdline`, 'utf8')) ?? '').replaceAll('\0', ' ').trim();
}

/** Returns the working directory of a process, or undefined when it is unknown. */
export function workingFolderOf(/** @type {number} */ pid) {
  return hasProc ? unlessGone(() => readlinkSync(`/proc/${pid}/cwd`)) : undefined;
}

/**
 * Finds processes with the given variables in their environment. On macOS `ps` shows the environments to their owner.
 * @param {Record<string, string | undefined>} marks undefined accepts any value
 * @returns {{ pid: number, env: Record<string, string> }[]}
 */
export function processesMarked(marks) {
  const found = [];
  for (const pid of allPids()) {
    const env = environmentOf(pid);
    const matches = Object.entries(marks).every(
      ([name, value]) => name in env && (value === undefined || env[name] === value),
    );
    if (matches && pid !== process.pid && stampOf(pid) !== undefined) found.push({ pid, env });
  }
  return found;
}

/**
 * Terminates processes, and the groups they lead, with SIGTERM. Kills them after the grace period. Returns false when
 * one survives.
 */
export async function terminate(/** @type {number[]} */ pids, /** @type {number} */ graceMs) {
  const refs = pids.map(refOf).filter((ref) => ref !== undefined);
  for (const { pid } of refs) signal(pid, 'SIGTERM');
  if (await happensWithin(graceMs, () => !refs.some(isRunning))) return true;
  for (const ref of refs) if (isRunning(ref)) signal(ref.pid, 'SIGKILL');
  return happensWithin(3000, () => !refs.some(isRunning));
}

/** Sends a signal to a process, and to its group when the process leads one. Ignores a missing process. */
export function signal(/** @type {number} */ pid, /** @type {NodeJS.Signals} */ name) {
  try {
    process.kill(leadsGroup(pid) ? -pid : pid, name);
  } catch (error) {
    if (codeOf(error) !== 'ESRCH') throw error;
  }
}

function allPids() {
  if (hasProc)
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map(Number);
  return execFileSync('ps', ['-axo', 'pid=']).toString().split('\n').map(Number).filter(Boolean);
}

/** @returns {Record<string, string>} */
function environmentOf(/** @type {number} */ pid) {
  const raw = hasProc
    ? (unlessGone(() => readFileSync(`/proc/${pid}/environ`, 'utf8')) ?? '').split('\0')
    : (ps(pid, 'command=', '-E') ?? '').split(' ');
  return Object.fromEntries(
    raw
      .filter((pair) => pair.includes('='))
      .map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]),
  );
}

/**
 * Returns the fields of /proc/<pid>/stat, starting with the state. The name before it may contain spaces and
 * parentheses.
 */
function statOf(/** @type {number} */ pid) {
  const stat = unlessGone(() => readFileSync(`/proc/${pid}/stat`, 'utf8'));
  return stat?.slice(stat.lastIndexOf(')') + 2).split(' ');
}

function leadsGroup(/** @type {number} */ pid) {
  return hasProc ? Number(statOf(pid)?.[2]) === pid : Number(ps(pid, 'pgid=')) === pid;
}

function ps(/** @type {number} */ pid, /** @type {string} */ column, /** @type {string[]} */ ...flags) {
  try {
    return (
      execFileSync('ps', [...flags, '-o', column, '-p', String(pid)], { stdio: ['ignore', 'pipe', 'ignore'] })
        .toString()
        .trim() || undefined
    );
  } catch {
    return undefined; // ps exits with 1 when the process does not exist
  }
}
