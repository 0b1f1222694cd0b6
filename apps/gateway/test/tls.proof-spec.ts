import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process';
import { chown, copyFile, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import {
  createTestCertificate,
  eventually,
  freePort,
  TEST_ENCRYPTION_KEY,
  type TestCertificate,
} from '@switchboard/testing';
import pg from 'pg';
// eslint-disable-next-line @nx/enforce-module-boundaries -- starts a broker with TLS listeners
import { startThrowAwayBroker } from '../../../libs/broker/test/support/private-broker';

const ROOT = resolve(import.meta.dirname, '../../..');
const PROGRAM = resolve(ROOT, 'dist/tls/gateway');
/** Maximum startup time of a program in milliseconds, even on a busy machine. */
const START_TIMEOUT_MS = 180_000;

interface PrivatePostgres {
  url: string;
  stop(): Promise<void>;
}
interface Infra {
  startPrivatePostgres(options: { dir: string; port: number }): Promise<PrivatePostgres>;
}

/** Runs the programs of a service as in production, with verify-full, amqps and NODE_EXTRA_CA_CERTS (k8s/README.md). */
describe('service with TLS-only data stores', () => {
  let folder: string;
  let certificates: { postgres: TestCertificate; rabbitmq: TestCertificate };
  let postgres: PrivatePostgres;
  let rabbit: Awaited<ReturnType<typeof startThrowAwayBroker>>;
  let amqpsPort: number;
  let managementPort: number;
  let program: ChildProcess | undefined;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'switchboard-tls-'));
    certificates = {
      postgres: await createTestCertificate('DNS:localhost'),
      rabbitmq: await createTestCertificate('DNS:localhost'),
    };
    [amqpsPort, managementPort] = [await freePort(), await freePort()];
    execFileSync(process.execPath, ['tools/bundle.mjs', 'apps/gateway', PROGRAM], { cwd: ROOT });
    [postgres, rabbit] = await Promise.all([startPostgres(), startRabbitmq()]);
  }, START_TIMEOUT_MS);
  afterAll(async () => {
    program?.kill('SIGKILL');
    await Promise.all([postgres.stop(), rabbit.remove()]);
    await Promise.all(Object.values(certificates).map((certificate) => certificate.remove()));
    await rm(folder, { recursive: true, force: true });
  });

  async function startPostgres(): Promise<PrivatePostgres> {
    const { startPrivatePostgres } = (await import(join(ROOT, 'tools/infra/index.mjs'))) as Infra;
    const server = await startPrivatePostgres({ dir: join(folder, 'postgres'), port: await freePort() });
    const admin = new pg.Client({ connectionString: server.url });
    await admin.connect();
    const { rows } = await admin.query<{ data_directory: string }>('SHOW data_directory');
    const data = rows[0]?.data_directory ?? '';
    const { uid, gid } = await stat(data);
    for (const [from, name] of [
      [certificates.postgres.certFile, 'server.crt'],
      [certificates.postgres.keyFile, 'server.key'],
    ] as const) {
      await copyFile(from, join(data, name));
      await chown(join(data, name), uid, gid);
    }
    const access = join(data, 'pg_hba.conf');
    await writeFile(access, (await readFile(access, 'utf8')).replace(/^host\b/gm, 'hostssl'));
    await admin.query('ALTER SYSTEM SET ssl = on');
    await admin.query('SELECT pg_reload_conf()');
    await admin.end();
    await eventually(() => expect(connectPlainly(server.url)).rejects.toThrow('no encryption'));
    return server;
  }

  /** Starts RabbitMQ with the TLS settings that its cluster operator generates. */
  function startRabbitmq(): ReturnType<typeof startThrowAwayBroker> {
    const { certFile, keyFile } = certificates.rabbitmq;
    const files = (of: string): object => ({ [`${of}.certfile`]: certFile, [`${of}.keyfile`]: keyFile });
    return startThrowAwayBroker({
      plugins: ['rabbitmq_management'],
      settings: {
        'listeners.ssl.default': `127.0.0.1:${amqpsPort}`,
        ...files('ssl_options'),
        'management.ssl.ip': '127.0.0.1',
        'management.ssl.port': String(managementPort),
        ...files('management.ssl'),
      },
    });
  }

  function databaseUrl(login: string, { host = 'localhost', ca = certificates.postgres.caFile } = {}): string {
    const url = new URL(postgres.url);
    url.hostname = host;
    if (login !== 'admin') [url.username, url.password] = [login, 'any'];
    url.searchParams.set('sslmode', 'verify-full');
    url.searchParams.set('sslrootcert', ca);
    return url.href;
  }

  function brokerUrl(address: string, { host = 'localhost' } = {}): string {
    const url = new URL(address.replace('amqp://', 'amqps://'));
    [url.hostname, url.port] = [host, String(amqpsPort)];
    return url.href;
  }

  async function run(entry: string, settings: Record<string, string>): Promise<{ code: number; output: string }> {
    const env = environment(settings);
    const ran = promisify(execFile)(process.execPath, [join(PROGRAM, `${entry}.mjs`)], { cwd: ROOT, env });
    return ran.then(
      ({ stdout }) => ({ code: 0, output: stdout }),
      (error: { code: number; stderr: string }) => ({ code: error.code, output: error.stderr }),
    );
  }

  function environment(settings: Record<string, string>): NodeJS.ProcessEnv {
    const { PATH, TMPDIR } = process.env;
    return { PATH, TMPDIR, NODE_EXTRA_CA_CERTS: certificates.rabbitmq.caFile, ...settings };
  }

  const migrate = (options?: { host?: string; ca?: string }) =>
    run('migrate', {
      DATABASE_ADMIN_URL: databaseUrl('admin'),
      DATABASE_URL: databaseUrl('sb_gateway', options),
    });
  const setUpBroker = ({ host, ...settings }: { host?: string; NODE_EXTRA_CA_CERTS?: string } = {}) =>
    run('prepare-broker', {
      RABBITMQ_ADMIN_URL: brokerUrl(rabbit.url, { host }),
      RABBITMQ_MANAGEMENT_URL: `https://localhost:${managementPort}`,
      GATEWAY_RABBITMQ_URL: brokerUrl(rabbit.logins.gateway),
      ...settings,
    });

  it('migrates over a connection with a verified certificate', async () => {
    expect(await migrate()).toEqual({ code: 0, output: expect.stringContaining('gateway: ran') });
  });

  it('sets up the broker over amqps and its management API over https', async () => {
    expect(await setUpBroker()).toEqual({ code: 0, output: expect.stringContaining('logins: gateway') });
  });

  it('is healthy with only TLS connections', async () => {
    const port = await freePort();
    const settings = {
      DATABASE_URL: databaseUrl('sb_gateway'),
      RABBITMQ_URL: brokerUrl(rabbit.logins.gateway),
      ENCRYPTION_KEY: TEST_ENCRYPTION_KEY,
      UPSTREAM_APP_SECRET: 'any',
      UPSTREAM_VERIFY_TOKEN: 'any',
      BLOB_DIR: join(folder, 'blobs'),
      GATEWAY_PORT: '0',
      MANAGEMENT_PORT: String(port),
      LOG_LEVEL: 'error',
    };
    program = spawn(process.execPath, [join(PROGRAM, 'main.mjs')], {
      cwd: ROOT,
      env: environment(settings),
      stdio: 'inherit',
    });
    await eventually(async () => expect((await fetch(`http://127.0.0.1:${port}/health`)).status).toBe(200), {
      timeoutMs: START_TIMEOUT_MS,
    });
    expect(await encryptedSessions('sb_gateway')).toEqual([true]);
    const connections = await rabbit.command('rabbitmqctl', 'list_connections', 'user', 'ssl', '--silent');
    const own = connections.split('\n').filter((line) => line.startsWith('sb_gateway'));
    expect(own.length).toBeGreaterThan(0);
    expect(own.filter((line) => !line.endsWith('true'))).toEqual([]);
  }, 240_000);

  it('rejects a database certificate of another authority', async () => {
    const { code, output } = await migrate({ ca: certificates.rabbitmq.caFile });
    expect([code, output]).toEqual([1, expect.stringMatching(/unable to (get local issuer|verify)|self-signed/)]);
  });

  it('rejects a database certificate for another host name', async () => {
    const { code, output } = await migrate({ host: '127.0.0.1' });
    expect([code, output]).toEqual([1, expect.stringContaining("does not match certificate's altnames")]);
  });

  it('rejects a broker certificate of another authority', async () => {
    const { code, output } = await setUpBroker({ NODE_EXTRA_CA_CERTS: certificates.postgres.caFile });
    expect([code, output]).toEqual([1, expect.stringMatching(/unable to (get local issuer|verify)|self-signed/)]);
  });

  it('rejects a broker certificate for another host name', async () => {
    const { code, output } = await setUpBroker({ host: '127.0.0.1' });
    expect([code, output]).toEqual([1, expect.stringContaining("does not match certificate's altnames")]);
  });

  /** Returns the distinct encryption states of a login's sessions. */
  async function encryptedSessions(login: string): Promise<boolean[]> {
    const ca = await readFile(certificates.postgres.caFile, 'utf8');
    const admin = new pg.Client({ connectionString: postgres.url.replace('127.0.0.1', 'localhost'), ssl: { ca } });
    await admin.connect();
    try {
      const sql = 'SELECT DISTINCT ssl FROM pg_stat_ssl JOIN pg_stat_activity USING (pid) WHERE usename = $1';
      const { rows } = await admin.query<{ ssl: boolean }>(sql, [login]);
      return rows.map(({ ssl }) => ssl);
    } finally {
      await admin.end();
    }
  }
});

async function connectPlainly(connectionString: string): Promise<void> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  await client.end();
}
