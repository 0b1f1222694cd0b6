// @ts-check
import { existsSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { unlessGone } from '../lib/json-file.mjs';
import { makeFolder, tighten } from '../lib/private-files.mjs';
import { mustRun, run } from '../lib/run.mjs';

/** @typedef {{ sbin: string, env: Record<string, string> }} RabbitmqPrograms where the server's scripts lie, and what must be set to run them */

const NEEDED = ['rabbitmq-server', 'erlang-base'];
/** Of these, those which the distribution has: the list differs a little between releases. */
const WANTED = [
  ...['crypto', 'asn1', 'eldap', 'inets', 'ftp', 'tftp', 'mnesia', 'os-mon', 'snmp', 'parsetools'].map(
    (part) => `erlang-${part}`,
  ),
  ...['public-key', 'runtime-tools', 'ssl', 'syntax-tools', 'tools', 'xmerl'].map((part) => `erlang-${part}`),
  ...['libssl3t64', 'libssl3', 'libtinfo6', 'libstdc++6'],
];

/**
 * RabbitMQ as the system's package manager installed it (not its start-up wrapper, which only root and `rabbitmq` may
 * call).
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
 * RabbitMQ and Erlang unpacked from the distribution's packages into a folder: nothing is installed, no service is
 * started, no rights are needed. Done once; the folder is the cache.
 * @param {string} folder
 * @param {(text: string) => void} log
 * @returns {Promise<RabbitmqPrograms | undefined>} undefined when this system has no apt-get and dpkg
 */
export async function unpackedRabbitmq(folder, log) {
  const root = join(folder, 'root');
  if (!existsSync(root)) {
    if ((await run('apt-get', ['--version'])).code !== 0 || (await run('dpkg', ['--version'])).code !== 0)
      return undefined;
    await unpack(folder, log);
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

async function unpack(/** @type {string} */ folder, /** @type {(text: string) => void} */ log) {
  const draft = `${folder}.part`; // callers hold a lock; a part that an interrupted run left goes first
  rmSync(draft, { recursive: true, force: true });
  const downloads = join(draft, 'downloads');
  makeFolder(downloads);
  try {
    await download(downloads, join(draft, 'apt'), log);
    const packages = readdirSync(downloads).filter((name) => name.endsWith('.deb'));
    for (const name of packages) await mustRun('dpkg', ['-x', join(downloads, name), join(draft, 'root')]);
    pointErlangAt(join(draft, 'root/usr/lib/erlang'), join(folder, 'root/usr/lib/erlang'));
    rmSync(folder, { recursive: true, force: true });
    makeFolder(folder);
    tighten(join(draft, 'root'));
    renameSync(join(draft, 'root'), join(folder, 'root')); // last, and at once: a folder that exists is complete
    log(`RabbitMQ: unpacked ${packages.length} packages into ${folder}`);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

/** Downloads with the system's package lists; with freshly fetched private ones when those are missing or outdated. */
async function download(
  /** @type {string} */ into,
  /** @type {string} */ state,
  /** @type {(text: string) => void} */ log,
) {
  log('RabbitMQ: fetching packages (about 35 MB; nothing is installed)');
  if (await downloadWith([], into)) return;
  log('RabbitMQ: refreshing package lists');
  for (const name of ['state/lists/partial', 'cache/archives/partial'])
    mkdirSync(join(state, name), { recursive: true });
  const status = '/var/lib/dpkg/status';
  const options = [
    `Dir::State=${state}/state`,
    `Dir::State::status=${status}`,
    `Dir::Cache=${state}/cache`,
    'Debug::NoLocking=1',
    'APT::Sandbox::User=',
  ].flatMap((option) => ['-o', option]);
  await mustRun('apt-get', [...options, '-qq', 'update']);
  if (!(await downloadWith(options, into)))
    throw new Error(
      'RabbitMQ: the package archive of this system does not offer rabbitmq-server, or cannot be reached',
    );
}

async function downloadWith(/** @type {string[]} */ options, /** @type {string} */ into) {
  const { output } = await run('apt-cache', [...options, 'show', '--no-all-versions', ...NEEDED, ...WANTED]);
  const offered = new Set([...output.matchAll(/^Package: (\S+)$/gm)].map((match) => String(match[1])));
  if (!NEEDED.every((name) => offered.has(name))) return false;
  return (await run('apt-get', [...options, '-qq', 'download', ...offered], { cwd: into })).code === 0;
}

/** Erlang's start scripts know their folder by name: each must learn the one it will lie in. */
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
