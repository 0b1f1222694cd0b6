// @ts-check
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { createServer } from 'node:net';
import { unlessGone } from './json-file.mjs';

/** Returns true when no program listens on a port, neither on the loopback address nor on all addresses. */
export async function isFree(/** @type {number} */ port) {
  for (const host of ['127.0.0.1', '0.0.0.0', '::']) if (!(await canListen(port, host))) return false;
  return true;
}

/** Returns a free port chosen by the operating system. Another process may take it before it is used. */
export async function anyFreePort() {
  return new Promise((/** @type {(port: number) => void} */ resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });
}

/** Number of ports per block. Four processes of each service and the simulator need 29. */
const BLOCK = 30;
const BLOCKS = Math.floor(11_000 / BLOCK);

/**
 * Returns the first port of a block in which all needed ports are free. Blocks lie between 21000 and 32000, below the
 * range of ephemeral ports.
 * @param {string} seed determines the first block to try, so that an installation usually gets the same ports again
 * @param {number} size number of ports, at most {@link BLOCK}
 * @returns {Promise<number>} first port of the block
 */
export async function freeBlock(seed, size) {
  if (size > BLOCK) throw new Error(`a block has ${BLOCK} ports, not ${size}`);
  const first = [...seed].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % BLOCKS, 7);
  for (let step = 0; step < BLOCKS; step += 1) {
    const base = 21_000 + ((first + step) % BLOCKS) * BLOCK;
    const ports = Array.from({ length: size }, (_, index) => base + index);
    const free = await Promise.all(ports.map(isFree));
    if (free.every(Boolean)) return base;
  }
  throw new Error('no free ports between 21000 and 32000');
}

/**
 * Describes the process that listens on a port: `process 123 (node server.js)`. Returns undefined when the operating
 * system does not reveal the process.
 */
export function listenerOn(/** @type {number} */ port) {
  const pid = existsSync('/proc/net/tcp') ? pidFromProc(port) : pidFromLsof(port);
  if (pid === undefined) return undefined;
  const command = unlessGone(() => readFileSync(`/proc/${pid}/cmdline`, 'utf8'))
    ?.replaceAll('\0', ' ')
    .trim();
  return `process ${pid}${command ? ` (${command.slice(0, 80)})` : ''}`;
}

/**
 * Returns true when the given process, and no other, listens on the port. Assumes so where the operating system does
 * not reveal it.
 */
export function isListening(/** @type {number} */ pid, /** @type {number} */ port) {
  return !existsSync('/proc/net/tcp') || holdsOneOf(String(pid), socketsOn(port));
}

function canListen(/** @type {number} */ port, /** @type {string} */ host) {
  return new Promise((/** @type {(free: boolean) => void} */ resolve) => {
    const server = createServer();
    // Other errors, on a machine that has no IPv6 or forbids low ports, do not make a port occupied.
    server.once('error', (/** @type {NodeJS.ErrnoException} */ error) => resolve(error.code !== 'EADDRINUSE'));
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve(true)));
  });
}

function pidFromProc(/** @type {number} */ port) {
  const sockets = socketsOn(port);
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .find((pid) => holdsOneOf(pid, sockets));
}

/** Returns the inodes of the sockets that listen on a port. */
function socketsOn(/** @type {number} */ port) {
  const hex = port.toString(16).toUpperCase().padStart(4, '0');
  const rows = ['tcp', 'tcp6'].flatMap((table) =>
    (unlessGone(() => readFileSync(`/proc/net/${table}`, 'utf8')) ?? '').split('\n'),
  );
  return rows
    .map((row) => row.trim().split(/\s+/))
    .filter(([, local, , state]) => local?.endsWith(`:${hex}`) && state === '0A')
    .map((row) => `socket:[${row[9]}]`);
}

function holdsOneOf(/** @type {string} */ pid, /** @type {string[]} */ sockets) {
  const files = unlessGone(() => readdirSync(`/proc/${pid}/fd`)) ?? [];
  return files.some((file) => sockets.includes(unlessGone(() => readlinkSync(`/proc/${pid}/fd/${file}`)) ?? ''));
}

function pidFromLsof(/** @type {number} */ port) {
  try {
    return (
      execFileSync('lsof', ['-nP', '-t', `-iTCP:${port}`, '-sTCP:LISTEN'], { stdio: ['ignore', 'pipe', 'ignore'] })
        .toString()
        .split('\n')[0] || undefined
    );
  } catch {
    return undefined; // lsof is missing, or the process belongs to another user
  }
}
