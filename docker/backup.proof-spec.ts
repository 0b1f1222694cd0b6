import { execFile } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { connect } from 'amqplib';
import { startPrivateBroker, startPrivatePostgres } from '../tools/infra/index.mjs';
import { withClient } from '../tools/infra/postgres-login.mjs';
import { findPostgresBinaries, type PrivatePostgres } from '../tools/infra/postgres-private.mjs';
import { BROKER_PORTS, type PrivateBroker } from '../tools/infra/rabbitmq-private.mjs';
import { brokerSetUpEnvironment, buildAll } from '../tools/lib/build.mjs';
import { anyFreePort, freeBlock } from '../tools/lib/ports.mjs';
import { SERVICES } from '../tools/lib/services.mjs';
import { ROOT } from '../k8s/testing/paths';

const run = promisify(execFile);
const QUEUE = 'webhooks.messaging.message.received.v1';
const PASSWORD = 'secret-of-the-test';

/**
 * Fake Docker that runs the scripts' commands with local programs. Commands in the PostgreSQL container use a real
 * server; migrations and the broker set-up run from `dist`. Ports, volumes and containers are only recorded.
 */
const DOCKER = `#!/bin/bash
set -euo pipefail
printf '%s\\n' "$*" >>"$SEEN"
service() { ( set -a; . "$ENVIRONMENTS/$1"; set +a; cd "$ROOT/dist/apps/$2"; shift 2; exec "$@" ); }
case "$*" in
  "compose up -d --no-build --wait") [ -z "\${WITHOUT_START:-}" ] ;;
  "compose version") [ -z "\${WITHOUT_COMPOSE:-}" ] ;;
  "compose exec -T postgres "*) shift 4; exec env PATH="$PROGRAMS:$PATH" "$@" ;;
  *" gateway tar "*) while [ "$1" != tar ]; do shift; done; exec "\${@/#\\/var\\/lib\\/switchboard\\/blobs/$BLOBS}" ;;
  *" broker-set-up") service broker-set-up gateway "$NODE" prepare-broker.mjs ;;
  *" migrate-"*) while [[ "$1" != migrate-* ]]; do shift; done; name=\${1#migrate-}; shift 2; service "$name" "$name" "$NODE" "$@" ;;
  "compose ps -aq rabbitmq") echo container-of-rabbitmq ;;
  "inspect "*" container-of-rabbitmq") echo volume-of-rabbitmq ;;
  "volume rm volume-of-rabbitmq") exec curl -sSf -X POST "$BROKER_HOOK" ;;
esac
`;

describe('backup.sh and restore.sh', () => {
  let folder: string;
  let docker: string;
  let database: PrivatePostgres;
  let broker: PrivateBroker;
  let hook: Server;
  let env: Record<string, string>;
  let url: string;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'switchboard-backup-'));
    docker = join(folder, 'docker');
    for (const name of ['bin', 'docker', 'blobs', 'environments']) mkdirSync(join(folder, name));
    const programs = findPostgresBinaries(['initdb', 'postgres', 'pg_dump', 'pg_dumpall', 'pg_restore', 'psql']);
    const dir = join(ROOT, '.local/backup-spec');
    rmSync(dir, { recursive: true, force: true });
    const [port, brokerPort] = await Promise.all([anyFreePort(), freeBlock('backup-spec', BROKER_PORTS)]);
    [database, broker] = await Promise.all([
      startPrivatePostgres({ dir: join(dir, 'postgres'), port, ...(programs && { programs }) }),
      startPrivateBroker({ dir: join(dir, 'rabbitmq'), port: brokerPort }),
      buildAll(),
    ]);
    hook = createServer((_, response) => {
      void (async () => {
        await broker.kill9();
        rmSync(join(dir, 'rabbitmq/mnesia'), { recursive: true, force: true });
        await broker.start();
        response.end();
      })();
    }).listen(0, '127.0.0.1');
    await once(hook, 'listening');
    url = `postgres://postgres:${PASSWORD}@127.0.0.1:${port}/switchboard`;
    await withClient(database.url, async (client) => {
      await client.query(`CREATE ROLE postgres SUPERUSER LOGIN PASSWORD '${PASSWORD}'`);
      await client.query('CREATE DATABASE switchboard OWNER postgres');
    });
    writeFileSync(join(folder, 'bin/docker'), DOCKER, { mode: 0o755 });
    for (const name of ['backup.sh', 'restore.sh']) cpSync(join(ROOT, 'docker', name), join(docker, name));
    writeFileSync(join(docker, '.env'), 'ENCRYPTION_KEY=key-1\nOTP_PEPPER=pepper-1\nSWITCHBOARD_TAG=0.2.0\n');
    writeEnvironments(port);
    env = {
      PATH: `${join(folder, 'bin')}:${process.env['PATH']}`,
      SEEN: join(folder, 'seen'),
      ROOT,
      ENVIRONMENTS: join(folder, 'environments'),
      BLOBS: join(folder, 'blobs'),
      NODE: process.execPath,
      PROGRAMS: database.programs,
      PGHOST: '127.0.0.1',
      PGPORT: String(port),
      PGPASSWORD: PASSWORD,
      BROKER_HOOK: `http://127.0.0.1:${(hook.address() as AddressInfo).port}`,
    };
    await compose('broker-set-up');
    for (const service of SERVICES) await compose(`migrate-${service}`, 'node', 'migrate.mjs');
  }, 300_000);
  afterAll(async () => {
    hook?.close();
    await Promise.all([database?.stop(), broker?.stop()]);
    rmSync(folder, { recursive: true, force: true });
  });

  /** Writes the environment files of the containers, as in compose.yaml. */
  function writeEnvironments(port: number): void {
    const infra = {
      databaseUrl: url,
      loginSuffix: '',
      rabbitmqUrl: broker.url,
      brokerLogins: broker.logins,
      managementUrl: undefined,
      namespace: '',
      chosen: { postgres: 'local', rabbitmq: 'local' },
    };
    const environments: Record<string, Record<string, string>> = {
      'broker-set-up': brokerSetUpEnvironment({ infra }),
    };
    for (const service of SERVICES)
      environments[service] = {
        DATABASE_ADMIN_URL: url,
        DATABASE_URL: `postgres://sb_${service}:${service}-password@127.0.0.1:${port}/switchboard`,
      };
    for (const [name, settings] of Object.entries(environments)) {
      const lines = Object.entries(settings).map(([key, value]) => `${key}='${value}'\n`);
      writeFileSync(join(folder, 'environments', name), lines.join(''));
    }
  }

  const compose = (...args: string[]) => run(join(folder, 'bin/docker'), ['compose', 'run', ...args], { env });
  const script = (name: 'backup.sh' | 'restore.sh', ...args: string[]) => run(join(docker, name), args, { env });
  const backups = () => readdirSync(join(docker, 'backups')).sort();
  /** Creates a backup and deletes all others. */
  const backUp = async (): Promise<string> => {
    rmSync(join(docker, 'backups'), { recursive: true, force: true });
    await script('backup.sh');
    return join(docker, 'backups', backups()[0] ?? '');
  };
  const query = async (sql: string): Promise<Record<string, unknown>[]> =>
    withClient(url, async (client) => (await client.query(sql)).rows as Record<string, unknown>[]);
  const accounts = async () => (await query('SELECT name FROM gateway.accounts ORDER BY name')).map(({ name }) => name);
  const addAccount = (name: string) =>
    query(`INSERT INTO gateway.accounts (id, name, plan) VALUES ('acc_${name.toLowerCase()}', '${name}', 'growth')`);
  const messagesIn = async (): Promise<number> => {
    const connection = await connect(broker.url);
    try {
      return (await (await connection.createChannel()).checkQueue(QUEUE)).messageCount;
    } finally {
      await connection.close();
    }
  };
  const publish = async (): Promise<void> => {
    const connection = await connect(broker.url);
    const channel = await connection.createConfirmChannel();
    channel.sendToQueue(QUEUE, Buffer.from('{}'), { persistent: true });
    await channel.waitForConfirms();
    await connection.close();
  };
  const replacedDatabases = async () =>
    (await query("SELECT datname FROM pg_database WHERE datname LIKE 'switchboard_replaced_%'")).map(({ datname }) =>
      String(datname),
    );

  it('back up the database, files and settings, readable by the owner only', async () => {
    writeFileSync(join(folder, 'blobs/photo'), 'a photo');
    await addAccount('Before');
    const { stdout } = await script('backup.sh');
    expect(stdout).toMatch(
      /^database {2}\S+\nfiles {5}\S+\nsettings {2}\S+\/docker\/\.env\nbackup {4}\S+\/docker\/backups\/\d{8}T\d{6}Z\n$/,
    );
    const backup = join(docker, 'backups', backups()[0] ?? '');
    expect(readdirSync(backup).sort()).toEqual(['SHA256SUMS', 'env', 'files.tar', 'roles.sql', 'switchboard.dump']);
    expect([statSync(backup).mode & 0o777, statSync(join(backup, 'env')).mode & 0o777]).toEqual([0o700, 0o600]);
    expect(readFileSync(join(backup, 'roles.sql'), 'utf8')).not.toMatch(/PASSWORD '/);
  });

  it("restore a backup and republish the broker's messages", async () => {
    await query(`INSERT INTO gateway.published (id, message_id, kind, name, body, headers)
      VALUES (1, 'm1', 'event', 'gateway.access.changed.v1', '{}', '{}')`);
    const backup = await backUp();
    await addAccount('After');
    await query("DELETE FROM gateway.accounts WHERE name = 'Before'");
    rmSync(join(folder, 'blobs/photo'));
    await publish();
    writeFileSync(env['SEEN'] ?? '', '');

    const { stdout } = await script('restore.sh', '--yes', backup);
    expect(await accounts()).toEqual(['Before']);
    expect(readFileSync(join(folder, 'blobs/photo'), 'utf8')).toBe('a photo');
    expect(await messagesIn()).toBe(0);
    expect(await query('SELECT message_id FROM gateway.outbox')).toEqual([{ message_id: 'm1' }]);
    // The login has the password that its migration sets.
    const login = url.replace(`postgres:${PASSWORD}`, 'sb_otp:otp-password');
    await withClient(login, (client) => client.query('SELECT 1'));
    const [replaced] = await replacedDatabases();
    const old = url.replace(/switchboard$/, replaced ?? '');
    expect((await withClient(old, (client) => client.query('SELECT name FROM gateway.accounts'))).rows).toEqual([
      { name: 'After' },
    ]);
    expect(stdout).toContain(`exec postgres dropdb -U postgres ${replaced}`);
    const seen = readFileSync(env['SEEN'] ?? '', 'utf8')
      .trim()
      .split('\n');
    expect(seen.slice(0, 2)).toEqual(['compose version', `compose stop ${SERVICES.join(' ')}`]);
    expect(seen.slice(-2)).toEqual(['compose up -d --no-build --wait', 'compose run --rm -T operator doctor']);
  }, 120_000);

  it('replace only the broker with --broker-only', async () => {
    await addAccount('Kept');
    await publish();
    const { stdout } = await script('restore.sh', '--yes', '--broker-only');
    expect([await accounts(), await messagesIn()]).toEqual([['Before', 'Kept'], 0]);
    expect(stdout).not.toContain('database');
  }, 120_000);

  it('keep the database when the dump cannot be restored', async () => {
    const backup = await backUp();
    const dump = readFileSync(join(backup, 'switchboard.dump'));
    writeFileSync(join(backup, 'switchboard.dump'), dump.subarray(0, dump.length / 2));
    await expect(script('restore.sh', '--yes', backup)).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/is not complete, or was changed\n$/),
    });
    await run('bash', ['-c', 'sha256sum roles.sql switchboard.dump files.tar env >SHA256SUMS'], { cwd: backup });
    const before = await replacedDatabases();
    await expect(script('restore.sh', '--yes', backup)).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringContaining('the database is as it was'),
    });
    expect([await accounts(), await replacedDatabases()]).toEqual([['Before', 'Kept'], before]);
  }, 60_000);

  it('change nothing without confirmation, with another key or without a backup', async () => {
    const backup = await backUp();
    writeFileSync(env['SEEN'] ?? '', '');
    const settings = readFileSync(join(docker, '.env'), 'utf8');
    const refused = async (message: string | RegExp, ...args: string[]) =>
      expect(script('restore.sh', ...args)).rejects.toMatchObject({ code: 1, stderr: expect.stringMatching(message) });
    await refused('nothing was done: add --yes', backup);
    await refused('there is no folder /nowhere', '--yes', '/nowhere');
    await refused(/^restore: usage: docker\/restore.sh/);
    await refused('unknown option --force', '--force', backup);
    writeFileSync(join(docker, '.env'), settings.replace('key-1', 'key-2'));
    await refused('has another ENCRYPTION_KEY than the backup', '--yes', backup);
    rmSync(join(docker, '.env'));
    await refused('nothing was done: add --yes', backup);
    expect([existsSync(join(docker, '.env')), readFileSync(env['SEEN'] ?? '', 'utf8')]).toEqual([false, '']);
    writeFileSync(join(docker, '.env'), settings);
  });

  it('restore docker/.env and docker/settings.env when docker/.env is missing', async () => {
    writeFileSync(join(docker, 'settings.env'), 'CALLBACK_RETENTION_HOURS=24\n');
    const backup = await backUp();
    const settings = readFileSync(join(docker, '.env'), 'utf8');
    for (const name of ['.env', 'settings.env']) rmSync(join(docker, name));
    await script('restore.sh', '--yes', backup);
    expect(readFileSync(join(docker, '.env'), 'utf8')).toBe(settings);
    expect(readFileSync(join(docker, 'settings.env'), 'utf8')).toBe('CALLBACK_RETENTION_HOURS=24\n');
  }, 120_000);

  it('report missing tools and that the services are stopped', async () => {
    await expect(run(join(docker, 'backup.sh'), { env: { ...env, WITHOUT_COMPOSE: '1' } })).rejects.toMatchObject({
      stderr: expect.stringContaining('docker compose is missing'),
    });
    await expect(
      run(join(docker, 'restore.sh'), ['--yes', '--broker-only'], {
        env: { ...env, BROKER_HOOK: 'http://127.0.0.1:1' },
      }),
    ).rejects.toMatchObject({ stderr: expect.stringMatching(/not finished, and the services are stopped.*\n$/) });
    await expect(
      run(join(docker, 'restore.sh'), ['--yes', '--broker-only'], { env: { ...env, WITHOUT_START: '1' } }),
    ).rejects.toMatchObject({
      stderr: expect.stringMatching(/^restore: all is restored, but not everything started/m),
    });
    const settings = readFileSync(join(docker, '.env'), 'utf8');
    rmSync(join(docker, '.env'));
    await expect(script('restore.sh', '--yes', '--broker-only')).rejects.toMatchObject({
      stderr: expect.stringMatching(/^restore: \S+\/docker\/\.env is missing/),
    });
    writeFileSync(join(docker, '.env'), settings);
  }, 120_000);

  it('keep the newest backups and remove failed ones', async () => {
    rmSync(join(docker, 'backups'), { recursive: true });
    for (const name of ['20260101T000000Z', '20260102T000000Z', 'notes'])
      mkdirSync(join(docker, 'backups', name), { recursive: true });
    await script('backup.sh', '--keep', '2');
    const left = backups();
    expect(left).toEqual(['20260102T000000Z', expect.any(String), 'notes']);
    await expect(run(join(docker, 'backup.sh'), { env: { ...env, PGPASSWORD: 'wrong' } })).rejects.toMatchObject({
      code: 1,
    });
    expect(backups()).toEqual(left);
    await expect(script('backup.sh', '--keep', 'all')).rejects.toMatchObject({
      stderr: 'backup: --keep needs a number, at least 1\n',
    });
  }, 60_000);
});
