// @ts-check
import { execFile } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { stringify } from 'yaml';
import { ensurePromtool } from '../infra/promtool.mjs';
import { ROOT } from '../lib/home.mjs';
import { shellBlocks } from '../lib/shell-blocks.mjs';

const run = promisify(execFile);
const FOLDER = join(ROOT, 'docs/operations');
const pages = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.md'))
  .map((name) => ({ name, text: readFileSync(join(FOLDER, name), 'utf8') }));
/** Kinds of connections as in setting names, in the order of the table's columns. */
const KINDS = ['REQUEST', 'READ', 'EVENT', 'BACKGROUND'];

/** Records its arguments. */
const KUBECTL = `#!/bin/bash
printf '%s\\n' "$*" >> "$SEEN"
`;

test('the connection table matches the default settings', () => {
  const rows = [
    ...page('capacity.md').matchAll(/^\| (\w+) \| ([\d-]+) \| ([\d-]+) \| ([\d-]+) \| ([\d-]+) \| (\d+) \|$/gm),
  ];
  expect(rows).toHaveLength(6);
  for (const [, service = '', ...numbers] of rows) {
    const own = numbers.slice(0, 4).map((number) => (number === '-' ? 0 : Number(number)));
    expect([service, own]).toEqual([service, KINDS.map((kind) => defaultOf(service, kind))]);
    expect([service, Number(numbers[4])]).toEqual([service, own.reduce((sum, one) => sum + one, 0)]);
  }
  const sizes = new Map(rows.map(([, service = '', ...numbers]) => [service, Number(numbers[4])]));
  // Connections beside the pools: one between the processes of each service, and the lock of webhooks.
  const beside = (/** @type {string} */ service) => 1 + Number(service === 'webhooks');
  const ofOne = [...sizes].reduce((sum, [service, size]) => sum + size + beside(service), 0);
  expect(page('capacity.md')).toContain(`two processes of each service open ${2 * ofOne} connections at most`);
  const most = (/** @type {string[]} */ folders) =>
    [...sizes].reduce((sum, [service, size]) => sum + mostProcesses(service, folders) * (size + beside(service)), 0);
  const inBase = most(['base']);
  expect(page('capacity.md')).toContain(`${inBase} with the base and ${most(['base', 'keda'])} in production`);
});

/**
 * Returns the maximum number of replicas in the autoscalers of these directories, or two without an autoscaler.
 * @returns maximum replicas of the autoscalers in these folders; two without an autoscaler
 */
function mostProcesses(/** @type {string} */ service, /** @type {string[]} */ folders) {
  const files = { base: `k8s/base/services/${service}/availability.yaml`, keda: `k8s/components/keda/${service}.yaml` };
  const found = folders.flatMap((folder) => {
    const file = join(ROOT, files[/** @type {'base' | 'keda'} */ (folder)]);
    const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
    return [.../max(?:Replicas|ReplicaCount): (\d+)/g[Symbol.matchAll](text)].map(([, most]) => Number(most));
  });
  return Math.max(2, ...found);
}

test('every Prometheus expression parses', async () => {
  const spans = pages.flatMap(({ text }) => [...text.matchAll(/`([^`\n]+)`/g)].map(([, span = '']) => span));
  const expressions = spans.filter((span) => /switchboard_/.test(span) && /[({]/.test(span) && !/curl|grep/.test(span));
  expect(expressions.length).toBeGreaterThan(10);
  const folder = mkdtempSync(join(tmpdir(), 'switchboard-docs-'));
  try {
    const rules = expressions.map((expr, index) => ({ record: `docs:n${index}`, expr }));
    writeFileSync(join(folder, 'docs.yaml'), stringify({ groups: [{ name: 'docs', rules }] }));
    const promtool = await ensurePromtool({ log: (text) => process.stderr.write(`${text}\n`) });
    const { stdout } = await run(promtool, ['check', 'rules', join(folder, 'docs.yaml')]);
    expect(stdout).toContain(`${rules.length} rules found`);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('every operator command exists', () => {
  const commands = Object.keys(JSON.parse(readFileSync(join(ROOT, 'apps/gateway/src/cli/help.json'), 'utf8')));
  const named = pages.flatMap(({ name, text }) =>
    [...text.matchAll(/(?:ops --|`operator|run --rm operator) ([a-z][a-z-]*(?: [a-z-]+)?)/g)].map(([, words = '']) => ({
      name,
      words,
    })),
  );
  expect(named.length).toBeGreaterThan(10);
  // A noun that is itself a command has no verbs.
  const isAlone = (/** @type {string} */ noun) => commands.every((command) => !command.startsWith(`${noun} `));
  const isKnown = (/** @type {string} */ words) => {
    const [noun = ''] = words.split(' ');
    return commands.includes(words) || (commands.includes(noun) && isAlone(noun));
  };
  const unknown = named.filter(({ words }) => !isKnown(words));
  expect(unknown).toEqual([]);
});

test('every shell block has valid syntax', async () => {
  const blocks = pages.flatMap(({ name, text }) => shellBlocks(text).map((block) => ({ name, block })));
  expect(blocks.length).toBeGreaterThan(2);
  for (const { name, block } of blocks)
    expect([name, await run('bash', ['-n', '-c', block]).then(({ stderr }) => stderr)]).toEqual([name, '']);
});

test('a rollback starts with the gateway', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'switchboard-kubectl-'));
  try {
    writeFileSync(join(folder, 'kubectl'), KUBECTL);
    chmodSync(join(folder, 'kubectl'), 0o755);
    const SEEN = join(folder, 'seen');
    const env = { PATH: `${folder}:${process.env['PATH']}`, SEEN };
    await run('bash', ['-euo', 'pipefail', '-c', shellBlocks(page('rollback.md')).join('')], { env });
    const rest = 'deployment -l app.kubernetes.io/component=service,app.kubernetes.io/name!=gateway';
    expect(readFileSync(SEEN, 'utf8').trim().split('\n')).toEqual([
      '-n switchboard rollout undo deployment gateway',
      '-n switchboard rollout status deployment gateway --timeout=5m',
      `-n switchboard rollout undo ${rest}`,
      `-n switchboard rollout status ${rest} --timeout=5m`,
    ]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

describe('point-in-time restore', () => {
  const block = shellBlocks(page('backup-restore.md')).find((commands) => commands.includes('recovery.signal')) ?? '';
  /** @type {string} */
  let folder;
  /** @type {Record<'PGDATA' | 'BACKUPS' | 'ARCHIVE', string>} */
  let folders;
  const restore = (/** @type {string} */ MOMENT) =>
    run('bash', ['-c', block], { env: { ...process.env, ...folders, MOMENT } });

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'switchboard-restore-'));
    folders = { PGDATA: join(folder, 'data'), BACKUPS: join(folder, 'backups'), ARCHIVE: join(folder, 'archive') };
    for (const day of ['01', '02', '03']) {
      const manifest = join(folders.BACKUPS, `202601${day}T031500Z`, 'backup_manifest');
      mkdirSync(dirname(manifest), { recursive: true });
      writeFileSync(manifest, day);
      utimesSync(manifest, new Date(), new Date(`2026-01-${day}T03:20:00Z`));
    }
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  test('uses the newest base backup before the recovery point', async () => {
    await restore('2026-01-03T03:19:00+00:00');
    expect(readFileSync(join(folders.PGDATA, 'backup_manifest'), 'utf8')).toBe('02');
    expect(readFileSync(join(folders.PGDATA, 'postgresql.auto.conf'), 'utf8').split('\n')).toEqual([
      `restore_command = 'cp "${folders.ARCHIVE}/%f" "%p"'`,
      "recovery_target_time = '2026-01-03T03:19:00+00:00'",
      "recovery_target_action = 'promote'",
      '',
    ]);
    expect(existsSync(join(folders.PGDATA, 'recovery.signal'))).toBe(true);
  });

  test('copies nothing when every base backup is too new', async () => {
    await expect(restore('2026-01-01T03:19:00+00:00')).rejects.toThrow('no base backup is from before the moment');
    expect(readdirSync(folders.PGDATA)).toEqual([]);
  });

  test('keeps existing data', async () => {
    mkdirSync(folders.PGDATA);
    writeFileSync(join(folders.PGDATA, 'PG_VERSION'), '17');
    await expect(restore('2026-01-03T03:19:00+00:00')).rejects.toThrow();
    expect(readdirSync(folders.PGDATA)).toEqual(['PG_VERSION']);
  });
});

function page(/** @type {string} */ wanted) {
  return pages.find(({ name }) => name === wanted)?.text ?? '';
}

/**
 * Returns the default size of a service's pool, or 0 when the service does not have it. The settings page lists shared
 * settings in a table with their programs, and other settings under the heading of their program.
 */
function defaultOf(/** @type {string} */ service, /** @type {string} */ kind) {
  const [, shared = '', ...own] = readFileSync(join(ROOT, 'docs/configuration.md'), 'utf8').split(/^## /m);
  const setting = `\`DATABASE_${kind}_CONNECTIONS\``;
  const rowOf = (/** @type {string} */ text, /** @type {(cells: string[]) => boolean} */ isMeant) =>
    text
      .split('\n')
      .map((line) => line.split('|').map((cell) => cell.trim()))
      .find((cells) => cells[1] === setting && isMeant(cells));
  const section = own.find((text) => text.toLowerCase().startsWith(`${service}\n`)) ?? '';
  const row = rowOf(section, () => true) ?? rowOf(shared, (cells) => (cells[5] ?? '').split(', ').includes(service));
  return Number(row?.[3]?.replaceAll('`', '') ?? 0);
}
