// @ts-check
import { createHash, createHmac, randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT, shortHash } from '../lib/home.mjs';

/** @typedef {{ configure: string, write: string, read: string, topics: { exchange: string, write: string, read: string }[] }} Rights */

const FILE = join(ROOT, 'tools/infra/broker-rights.json');

/** Which rights logins are made with; another text after a version that changed them. */
export function rightsVersion() {
  return shortHash(readFileSync(FILE, 'utf8'));
}

/**
 * A login of its own for each service and for the operator: on the same broker and virtual host as an administrator's.
 * @param {string} adminUrl
 * @param {{ seed: string, suffix?: string }} options passwords are derived from the seed; the suffix ends each name
 * @returns {Record<string, string>} addresses by login
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
 * The login of the services in integration tests. It reaches the queues of namespaces `test-…` alone. Like a service's
 * own login it declares none but those that die with a connection. Only brokers that the project starts have it.
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
 * What a broker of our own imports when it starts: the administrator, who only sets it up, and the logins with their
 * rights.
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

/** As RabbitMQ keeps passwords: a salt, then the SHA-256 of salt and password. */
function hashed(/** @type {string} */ password) {
  const salt = randomBytes(4);
  const digest = createHash('sha256').update(salt).update(password).digest();
  return {
    password_hash: Buffer.concat([salt, digest]).toString('base64'),
    hashing_algorithm: 'rabbit_password_hashing_sha256',
  };
}
