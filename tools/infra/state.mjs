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
 * @property {string} [namespace] name prefix on a shared broker
 * @property {string} [suffix] suffix of this installation's logins on a shared database server
 * @property {number} [port] port of a private server
 * @property {number} [nodes] number of nodes of a private broker cluster; the port is the proxy's
 * @property {boolean} [standby] true for a private database with a synchronous standby; the port is the proxy's
 * @property {Record<string, string>} [logins] URLs of the services' and the operator's logins on a private broker
 * @property {string} [rights] version of their permissions
 * @property {string} [managementUrl] management API of an existing broker, if its login may create others
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

/**
 * Registers a process as a user of the infrastructure, so that no other process stops the servers. The registration
 * ends with the process.
 */
export function holdInfra(pid = process.pid) {
  mkdirSync(USERS, { recursive: true, mode: 0o700 });
  writeJson(join(USERS, `${pid}.json`), refOf(pid));
}

export function releaseInfra(pid = process.pid) {
  rmSync(join(USERS, `${pid}.json`), { force: true });
}

/** Returns the other running processes that need the infrastructure. */
export function otherUsers() {
  mkdirSync(USERS, { recursive: true, mode: 0o700 });
  const users = readdirSync(USERS)
    .filter((name) => name.endsWith('.json'))
    .map((name) => readJson(join(USERS, name)));
  return users.filter((user) => user?.pid !== process.pid && isRunning(user)).map((user) => Number(user.pid));
}

/**
 * Returns the previous port of a private server if the port is still free, otherwise the first port of a free block.
 */
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
