// @ts-check
// Runs servers that consist of several processes and proxies in a background process, because `npm run infra` itself
// exits.
import { fork } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readJson, writeJson } from '../lib/json-file.mjs';
import { makeFolder } from '../lib/private-files.mjs';
import { isRunning, refOf, terminate } from '../lib/processes.mjs';

/** @typedef {{ kind: 'cluster', dir: string, port: number, nodes: number } | { kind: 'pair', dir: string, port: number }} Detached */
/** @typedef {{ url: string, logins?: Record<string, string> }} Addresses */
/**
 * @typedef {{ addresses: Addresses } | { error: string } | { line: string }} Report reports from the background process
 * to its parent
 */

const MAIN = fileURLToPath(new URL('detached-main.mjs', import.meta.url));
/** Maximum time for a stop. A cluster of three stops in 2 s, and a hanging node is killed after 8 s. */
const STOP_MS = 20_000;

/**
 * Starts a cluster or a pair in the background and waits until it works.
 * @param {Detached} options
 * @param {(text: string) => void} log
 * @returns {Promise<Addresses>}
 */
export async function startDetached(options, log) {
  makeFolder(options.dir);
  const output = openSync(join(options.dir, 'keeper.log'), 'a', 0o600);
  const child = fork(MAIN, [JSON.stringify(options)], { detached: true, stdio: ['ignore', output, output, 'ipc'] });
  closeSync(output);
  writeJson(refFile(options.dir), refOf(Number(child.pid)));
  child.on('message', (/** @type {Report} */ report) => {
    if ('line' in report) log(report.line);
  });
  const outcome = new Promise((/** @type {(addresses: Addresses) => void} */ resolve, reject) => {
    child.on('message', (/** @type {Report} */ report) => {
      if ('addresses' in report) resolve(report.addresses);
      if ('error' in report) reject(new Error(report.error));
    });
    child.once('exit', (code) => reject(new Error(`ended with ${code}, see ${join(options.dir, 'keeper.log')}`)));
  });
  const addresses = await outcome;
  child.disconnect();
  child.unref();
  return addresses;
}

/** Returns the id of the background process that runs the servers of a directory, if it is running. */
export function detachedPid(/** @type {string} */ dir) {
  const ref = readJson(refFile(dir));
  return isRunning(ref) ? Number(ref.pid) : undefined;
}

/** Stops the background process and its servers. If the process does not exit, the caller must stop the servers. */
export async function stopDetached(/** @type {string} */ dir) {
  const pid = detachedPid(dir);
  if (pid !== undefined) await terminate([pid], STOP_MS);
}

function refFile(/** @type {string} */ dir) {
  return join(dir, 'keeper.json');
}
