// @ts-check
import { existsSync, readFileSync, readdirSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { unlessGone } from '../lib/json-file.mjs';
import { run } from '../lib/run.mjs';
import { hasPackages, unpackPackages } from './debian-packages.mjs';

/**
 * @typedef {{ sbin: string, env: Record<string, string> }} RabbitmqPrograms folder of the server's scripts, and their
 * required environment
 */

const NEEDED = ['rabbitmq-server', 'erlang-base'];
/** Optional packages, installed if available, because the list varies between releases. */
const WANTED = [
  ...['crypto', 'asn1', 'eldap', 'inets', 'ftp', 'tftp', 'mnesia', 'os-mon', 'snmp', 'parsetools'].map(
    (part) => `erlang-${part}`,
  ),
  ...['public-key', 'runtime-tools', 'ssl', 'syntax-tools', 'tools', 'xmerl'].map((part) => `erlang-${part}`),
  'libssl3t64',
  'libssl3',
  'libtinfo6',
  'libstdc++6',
];

/** @type {import('./debian-packages.mjs').Wanted} */
const PACKAGES = {
  title: 'RabbitMQ',
  size: '35 MB',
  choose: offeredPackages,
  finish: (root, place) => pointErlangAt(join(root, 'usr/lib/erlang'), join(place, 'usr/lib/erlang')),
};
/** Debian release that includes RabbitMQ of a major version. */
const SUITES = /** @type {Record<string, string>} */ ({ 4: 'trixie' });
/** Libraries that the programs need, even if this system has others installed. */
const LIBRARIES = [
  'libc6',
  'libgcc-s1',
  'libstdc++6',
  'libtinfo6',
  'libssl3t64',
  'zlib1g',
  'libzstd1',
  'libsystemd0',
  'libcap2',
];
const LOADER = 'usr/lib64/ld-linux-x86-64.so.2';

/**
 * Finds RabbitMQ as installed by the system's package manager. Skips its start-up wrapper, which only root and
 * `rabbitmq` may run.
 */
export function installedRabbitmq(
  roots = ['/usr/lib/rabbitmq/lib', '/opt/homebrew/opt/rabbitmq', '/usr/local/opt/rabbitmq'],
) {
  const folders = roots.flatMap((root) => [
    root,
    ...(unlessGone(() => readdirSync(root)) ?? [])
      .filter((name) => name.startsWith('rabbitmq_server-'))
      .map((name) => join(root, name)),
  ]);
  const sbin = folders
    .map((folder) => join(folder, 'sbin'))
    .find((folder) => existsSync(join(folder, 'rabbitmq-server')));
  return sbin ? { sbin, env: {} } : undefined;
}

/**
 * Unpacks RabbitMQ and Erlang from the distribution's packages into a directory. Installs nothing, starts no service
 * and needs no privileges. Unpacks only once, because the directory is the cache.
 * @param {string} folder
 * @param {(text: string) => void} log
 * @returns {Promise<RabbitmqPrograms | undefined>} undefined without apt-get and dpkg
 */
export async function unpackedRabbitmq(folder, log) {
  const root = join(folder, 'root');
  if (!existsSync(root)) {
    if (!(await hasPackages())) return undefined;
    await unpackPackages(folder, PACKAGES, log);
  }
  const libraries = unlessGone(() => readdirSync(join(root, 'usr/lib'))) ?? [];
  const installed = installedRabbitmq([join(root, 'usr/lib/rabbitmq/lib')]);
  if (!installed) throw new Error(`${folder} holds no RabbitMQ: remove it and start again`);
  return {
    sbin: installed.sbin,
    env: {
      PATH: [join(root, 'usr/lib/erlang/bin'), process.env['PATH']].join(delimiter),
      LD_LIBRARY_PATH: libraries
        .filter((name) => name.endsWith('-linux-gnu'))
        .map((name) => join(root, 'usr/lib', name))
        .join(':'),
    },
  };
}

/**
 * Unpacks a RabbitMQ of another major version than the system's, with the libraries of its own Debian release.
 * @param {string} folder
 * @param {string} version `4`
 * @param {(text: string) => void} log
 * @returns {Promise<RabbitmqPrograms>}
 * @throws Error when there is none, or when it cannot be unpacked here
 */
export async function otherRabbitmq(folder, version, log) {
  const suite = SUITES[version];
  if (suite === undefined) throw new Error(`there is no RabbitMQ ${version} here; there is ${Object.keys(SUITES)}`);
  if (process.arch !== 'x64' || !(await hasPackages()))
    throw new Error('another RabbitMQ runs on Debian for x86-64 alone');
  const root = join(folder, 'root');
  /** @type {import('./debian-packages.mjs').Wanted} */
  const packages = {
    title: `RabbitMQ ${version}`,
    size: '50 MB',
    suite,
    choose: async (options) =>
      (await offeredPackages(options))?.concat(LIBRARIES.filter((name) => !WANTED.includes(name))),
    finish: (made, place) => {
      PACKAGES.finish?.(made, place);
      giveLibraries(made, place);
    },
  };
  if (!existsSync(root)) await unpackPackages(folder, packages, log);
  const installed = installedRabbitmq([join(root, 'usr/lib/rabbitmq/lib')]);
  if (!installed) throw new Error(`${folder} holds no RabbitMQ: remove it and start again`);
  return {
    sbin: installed.sbin,
    env: { PATH: [join(root, 'usr/lib/erlang/bin'), process.env['PATH']].join(delimiter) },
  };
}

/**
 * Replaces Erlang's programs with scripts that start them with their own loader and libraries. The programs need a
 * newer C library than this system's, and refer to their loader by an absolute path.
 */
function giveLibraries(/** @type {string} */ root, /** @type {string} */ place) {
  const runtime = join(root, 'usr/lib/erlang');
  const programs = readdirSync(runtime, { recursive: true, encoding: 'utf8' })
    .filter((name) => /^erts-[^/]+\/bin\/|\/priv\/bin\//.test(name))
    .map((name) => join(runtime, name));
  const libraries = ['usr/lib/x86_64-linux-gnu', 'lib/x86_64-linux-gnu'].map((part) => join(place, part)).join(':');
  for (const path of programs) {
    if (!statSync(path).isFile() || !readFileSync(path).subarray(0, 4).equals(ELF)) continue;
    renameSync(path, `${path}.real`);
    const real = `${join(place, path.slice(root.length))}.real`;
    const start = `exec "${join(place, LOADER)}" --library-path "${libraries}" "${real}" "$@"`;
    writeFileSync(path, `#!/bin/sh\n${start}\n`, { mode: 0o755 });
  }
}

const ELF = Buffer.from('\x7fELF', 'latin1');

/** @returns {Promise<string[] | undefined>} the available ones of the wanted packages */
async function offeredPackages(/** @type {string[]} */ options) {
  const { output } = await run('apt-cache', [...options, 'show', '--no-all-versions', ...NEEDED, ...WANTED]);
  const offered = new Set([...output.matchAll(/^Package: (\S+)$/gm)].map((match) => String(match[1])));
  return NEEDED.every((name) => offered.has(name)) ? [...offered] : undefined;
}

/** Replaces the absolute directory in Erlang's start scripts with the final one. */
function pointErlangAt(/** @type {string} */ from, /** @type {string} */ to) {
  const folders = [
    from,
    join(from, 'bin'),
    ...readdirSync(from)
      .filter((name) => name.startsWith('erts-'))
      .map((name) => join(from, name, 'bin')),
  ];
  for (const path of folders.flatMap((folder) => readdirSync(folder).map((name) => join(folder, name)))) {
    if (unlessGone(() => statSync(path).isFile()) && statSync(path).size < 100_000) rewrite(path, to);
  }
}

function rewrite(/** @type {string} */ path, /** @type {string} */ to) {
  const text = readFileSync(path, 'utf8');
  if (text.includes('ROOTDIR=/usr/lib/erlang'))
    writeFileSync(
      path,
      text.replaceAll('ROOTDIR=/usr/lib/erlang', () => `ROOTDIR="${to}"`),
    );
}
