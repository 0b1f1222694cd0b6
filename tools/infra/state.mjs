// @ts-check
import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { HOME, homePath } from '../lib/home.mjs';
import { readJson, writeJson } from '../lib/json-file.mjs';
import { freeBlock, isFree } from '../lib/ports.mjs';
import { isRunning, refOf } from '../lib/processes.mjs';

/**
 * @typedef {object} Found a server that this installation uses
 * @property {import('./choose.mjs').Kind} kind
 * @property {string} url
 * @property {string} [namespace] of a broker: the prefix of all names
 * @property {string} [suffix] of a database on a shared server: what sets our logins apart
 * @property {number} [port] of an instance of our own
 * @property {number} [nodes] of a broker cluster of our own; the port is the proxy's
 * @property {boolean} [standby] a database of our own has a synchronous standby; the port is the proxy's
 * @property {Record<string, string>} [logins] of a broker of our own: the addresses of the services' logins, and of the
 * operator's
 * @property {string} [rights] the version of their rights
 * @property {string} [managementUrl] of a broker that was found, when its login may make others
 */

const FILE = homePath('infra.json');
const USERS = join(HOME, 'infra.users');

/** @returns {{ postgres?: Found, rabbitmq?: Found }} */
export function readInfra() {
  return readJson(FILE) ?? {};
}

export function writeInfra(/** @type {{ postgres?: Found, rabbitmq?: Found }} */ state) {
  writeJson(FILE, { ...readInfra(), ...state });
}

/** Says that a process needs the infrastructure, so that no one else stops it. The claim ends with the process. */
export function holdInfra(pid = process.pid) {
  mkdirSync(USERS, { recursive: true, mode: 0o700 });
  writeJson(join(USERS, `${pid}.json`), refOf(pid));
}

export function releaseInfra(pid = process.pid) {
  rmSync(join(USERS, `${pid}.json`), { force: true });
}

/** The living processes that need the infrastructure, without ours. */
export function otherUsers() {
  mkdirSync(USERS, { recursive: true, mode: 0o700 });
  const users = readdirSync(USERS)
    .filter((name) => name.endsWith('.json'))
    .map((name) => readJson(join(USERS, name)));
  return users.filter((user) => user?.pid !== process.pid && isRunning(user)).map((user) => Number(user.pid));
}

/** The port an instance of our own had before if it is still free, else the first of a free block. */
export async function keepOrChoosePort(
  /** @type {number | undefined} */ earlier,
  /** @type {{ size: number, offset: number }} */ { size, offset },
) {
  if (earlier !== undefined) {
    const ports = Array.from({ length: size }, (_, index) => earlier + index);
    if ((await Promise.all(ports.map(isFree))).every(Boolean)) return earlier;
  }
  return (await freeBlock(HOME, size + offset)) + offset;
}
