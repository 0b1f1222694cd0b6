// @ts-check
import { createHash, createHmac, randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT, shortHash } from '../lib/home.mjs';

/** @typedef {{ configure: string, write: string, read: string, topics: { exchange: string, write: string, read: string }[] }} Rights */

const FILE = join(ROOT, 'tools/infra/broker-rights.json');

/** Returns a version of the logins' permissions. It changes with the file that defines them. */
export function rightsVersion() {
  return shortHash(readFileSync(FILE, 'utf8'));
}

/**
 * Returns broker URLs with a separate login for each service and for the operator, on the same broker and virtual host
 * as the administrator's.
 * @param {string} adminUrl
 * @param {{ seed: string, suffix?: string }} options passwords are derived from the seed; the suffix is appended to
 * each name
 * @returns {Record<string, string>} URLs by login
 */
export function loginUrls(adminUrl, { seed, suffix = '' }) {
  return Object.fromEntries(
    Object.keys(readRights()).map((login) => {
      const url = new URL(adminUrl);
      url.username = `sb_${login}${suffix}`;
      url.password = passwordOf(seed, login);
      return [login, url.href];
    }),
  );
}

/**
 * Returns the broker URL of the services in integration tests. Its login can access only queues of `test-…` namespaces
 * and, like a service's own login, can declare only exclusive queues. Only brokers started by the project have this
 * login.
 */
export function testsUrl(/** @type {string} */ adminUrl) {
  const url = new URL(adminUrl);
  url.password = passwordOf(url.password, 'tests');
  url.username = 'sb_tests';
  return url.href;
}

const TESTS = String.raw`^test-[0-9a-f]+\..*$`;
const TESTS_PASSING = String.raw`^test-[0-9a-f]+\.sb\.passing\..*$`;

function passwordOf(/** @type {string} */ seed, /** @type {string} */ login) {
  return createHmac('sha256', seed).update(`broker login ${login}`).digest('hex').slice(0, 48);
}

/**
 * Returns the definitions that a private broker imports at startup: the administrator, used for setup only, and the
 * logins with their permissions.
 * @param {string} adminUrl
 * @param {Record<string, string>} logins
 */
export function definitionsOf(adminUrl, logins) {
  const rights = readRights();
  const admin = new URL(adminUrl);
  const everything = { user: admin.username, vhost: '/', configure: '.*', write: '.*', read: '.*' };
  const tests = new URL(testsUrl(adminUrl));
  const named = Object.entries(logins).map(([login, url]) => ({
    user: new URL(url).username,
    password: new URL(url).password,
    ...entryOf(rights, login),
  }));
  return {
    vhosts: [{ name: '/' }],
    users: [
      { name: admin.username, ...hashed(admin.password), tags: 'administrator' },
      { name: tests.username, ...hashed(tests.password), tags: '' },
      ...named.map(({ user, password }) => ({ name: user, ...hashed(password), tags: '' })),
    ],
    permissions: [
      everything,
      { user: tests.username, vhost: '/', configure: TESTS_PASSING, write: TESTS, read: TESTS },
      ...named.map(({ user, configure, write, read }) => ({ user, vhost: '/', configure, write, read })),
    ],
    topic_permissions: named.flatMap(({ user, topics }) => topics.map((topic) => ({ user, vhost: '/', ...topic }))),
  };
}

/** @returns {Record<string, Rights>} */
function readRights() {
  return JSON.parse(readFileSync(FILE, 'utf8'));
}

function entryOf(/** @type {Record<string, Rights>} */ rights, /** @type {string} */ login) {
  const entry = rights[login];
  if (!entry) throw new Error(`${FILE} has no login ${login}`);
  return entry;
}

/** Hashes a password in RabbitMQ's format: a salt, followed by the SHA-256 of salt and password. */
function hashed(/** @type {string} */ password) {
  const salt = randomBytes(4);
  const digest = createHash('sha256').update(salt).update(password).digest();
  return {
    password_hash: Buffer.concat([salt, digest]).toString('base64'),
    hashing_algorithm: 'rabbit_password_hashing_sha256',
  };
}
