// @ts-check
// Defines the fault that triggers each alert, and the steps of its runbook.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { connect } from 'amqplib';
import pg from 'pg';
import { generate } from 'selfsigned';
import { startPrivateRedis } from '../infra/redis.mjs';
import { withClient } from '../infra/postgres-login.mjs';
import { ROOT } from '../lib/home.mjs';
import { anyFreePort } from '../lib/ports.mjs';
import { makeFolder } from '../lib/private-files.mjs';
import { signal } from '../lib/processes.mjs';
import { ensureSecrets } from '../lib/secrets.mjs';
import { eventually } from '../lib/wait.mjs';
import { control } from './customers.mjs';
import { untilReady } from './kills.mjs';

/** @typedef {import('./installation.mjs').Installation} Installation */
/** @typedef {import('./alerts-load.mjs').AlertLoad} AlertLoad */
/**
 * @typedef {object} World
 * @property {Installation} installation
 * @property {AlertLoad} load
 * @property {string} dir working directory for files
 * @property {number} brokerFigures port of the broker's Prometheus metrics
 */
/**
 * @typedef {object} Cause
 * @property {string[]} alerts alerts that the fault must trigger
 * @property {string} fault human-readable description for the table
 * @property {string} cleared human-readable summary of the runbook's steps
 * @property {(world: World) => Promise<() => Promise<void>>} begin causes the fault and returns the runbook's steps,
 * which may be called repeatedly
 */

/** Alerts that need several RabbitMQ nodes or CloudNativePG. `observability/rules.test.yaml` covers them. */
export const NEED_CLUSTER = [
  'BackupOld',
  'BrokerDiskFilling',
  'BrokerNodeDown',
  'DatabaseDiskFilling',
  'DatabaseReplicationLag',
  'DatabaseStandbyAway',
  'QuorumQueueMemberMissing',
  'QuorumQueueWithoutMajority',
  'WalArchivingFailing',
];

const SECOND_GATEWAY = 'gateway-2';
const WABA_ID = '100000000000001';
const LEAKED_SESSIONS = 230;
const READY_TIMEOUT_MS = 600_000;
const DAY_MS = 86_400_000;

/**
 * Groups of causes. The causes of a group are independent and run concurrently; the groups run in sequence.
 * @type {Cause[][]}
 */
export const CAUSES = [
  [
    {
      alerts: ['SendErrorBudgetBurnsFast', 'SendErrorBudgetBurnsSlowly'],
      fault: 'the platform answers sends with errors',
      cleared: 'the platform works again',
      begin: async ({ installation }) => platformWith(installation, { errorRate: 1, errorCode: 131000 }),
    },
  ],
  [
    {
      alerts: ['UnknownOutcomes'],
      fault: 'the platform takes calls and never answers',
      cleared: 'the platform answers again',
      begin: async ({ installation }) => platformWith(installation, { hang: 1 }),
    },
  ],
  [
    {
      alerts: ['CallbackGap'],
      fault: 'the gateway has another UPSTREAM_APP_SECRET than the app: callbacks are answered 401',
      cleared: 'step 2: the secret as the app has it',
      async begin({ installation }) {
        await restart(installation, 'gateway', { UPSTREAM_APP_SECRET: 'a-secret-of-another-app' });
        return () => restart(installation, 'gateway', { UPSTREAM_APP_SECRET: ensureSecrets().appSecret });
      },
    },
    {
      alerts: ['TemplateSyncOld'],
      fault: 'the platform answers errors when the templates of a business are read',
      cleared: 'the platform works again; step 3: ops templates sync',
      async begin({ installation, load }) {
        const end = await platformWith(installation, { only: WABA_ID, errorRate: 1, errorCode: 131000 });
        return async () => {
          await end();
          await ops(installation, 'TemplateSyncOld', 'templates sync', ['--account', load.customer.accountId]);
        };
      },
    },
    {
      alerts: ['SpendCapReached'],
      fault: 'an account has a spend cap of zero',
      cleared: 'step 2: ops caps clear',
      async begin({ installation, load, dir }) {
        const file = join(dir, 'rates.csv');
        writeFileSync(
          file,
          'market,category,currency,amount,validFrom,source\nIndia,utility,USD,0.0014,2026-01-01,chaos\n',
        );
        await installation.ops('rates', 'import', file, '--replace');
        const account = ['--account', load.customer.accountId];
        await installation.ops('caps', 'set', ...account, '--amount', '0', '--currency', 'USD');
        return async () => {
          await ops(installation, 'SpendCapReached', 'caps clear', account);
        };
      },
    },
    {
      alerts: ['PartitionMissing'],
      fault: 'the coming months of the messages table are gone',
      cleared: 'steps 2 and 3; messaging is restarted and makes them',
      begin: dropMonths,
    },
    {
      alerts: ['RateLimitNotShared', 'CertificateExpires'],
      fault: 'a second gateway, without REDIS_URL, with a certificate of ten days',
      cleared: 'a renewed certificate in the same files; Redis, and REDIS_URL for both gateways',
      begin: secondGateway,
    },
  ],
  [
    {
      alerts: ['OutboxOld', 'DependencyAway'],
      fault: 'the broker is stopped',
      cleared: 'the broker is started',
      async begin({ installation: { broker } }) {
        await broker.stop();
        return () => broker.start();
      },
    },
  ],
  [
    {
      alerts: ['BrokerAlarm'],
      fault: 'the broker may use no more memory than it already does',
      cleared: 'step 1; it may use more',
      async begin({ installation: { broker }, brokerFigures }) {
        await showBrokerFigures(broker, brokerFigures);
        await broker.command('rabbitmqctl', 'set_vm_memory_high_watermark', 'absolute', '1MB');
        return async () => {
          const alarms = await broker.command('rabbitmq-diagnostics', 'alarms');
          if (!/memory/i.test(alarms)) throw new Error(`rabbitmq-diagnostics says nothing of memory: ${alarms}`);
          await broker.command('rabbitmqctl', 'set_vm_memory_high_watermark', 'absolute', '1GB');
        };
      },
    },
  ],
  [
    {
      alerts: ['WebhooksLate'],
      fault: 'the only busy endpoint answers after two seconds, and gets events faster than that',
      cleared: 'ops webhooks pause for that endpoint',
      async begin({ installation, load }) {
        load.answerAfter(2_000);
        return async () => {
          const endpoint = ['--account', load.customer.accountId, '--endpoint', load.endpointId];
          await ops(installation, 'WebhooksLate', 'webhooks pause', endpoint);
          load.answerAfter(0);
        };
      },
    },
  ],
  [
    {
      alerts: ['WebhooksStalled'],
      fault: 'webhooks has another ENCRYPTION_KEY than its secrets were sealed with',
      cleared: 'step 3: ops secrets status; the key as it was',
      async begin({ installation, load }) {
        // The previous cause paused the endpoint, so its events are waiting.
        await restart(installation, 'webhooks', { ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64') });
        await installation.ops(
          'webhooks',
          'enable',
          '--account',
          load.customer.accountId,
          '--endpoint',
          load.endpointId,
        );
        return async () => {
          await ops(installation, 'WebhooksStalled', 'secrets status', []);
          await restart(installation, 'webhooks', { ENCRYPTION_KEY: ensureSecrets().encryptionKey });
        };
      },
    },
  ],
  [
    {
      alerts: ['DeadLetters'],
      fault: 'a table that a handler needs is not there, and a message has failed nineteen times already',
      cleared: 'the table is back; steps 1 and 2; ops dead-letters send-back',
      begin: failForTheLastTime,
    },
  ],
  [
    {
      alerts: ['QueueGrowing'],
      fault: "the database refuses webhooks' login, so events wait at the broker",
      cleared: 'the login works again',
      async begin({ installation, load }) {
        const sql = (/** @type {string} */ text) => query(installation, text);
        await sql('ALTER ROLE sb_webhooks NOLOGIN');
        await sql("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'sb_webhooks'");
        load.hurry(true);
        return async () => {
          load.hurry(false);
          await sql('ALTER ROLE sb_webhooks LOGIN');
        };
      },
    },
  ],
  [
    {
      alerts: ['DatabasePoolExhausted', 'LoopStalled'],
      fault: 'a session holds a lock on the messages table and does nothing',
      cleared: 'the query of the runbook names the session; it is ended',
      begin: holdMessages,
    },
  ],
  [
    {
      alerts: ['ServiceMissing'],
      fault: 'otp hangs (SIGSTOP)',
      cleared: 'its /live fails, so the orchestrator kills and starts it',
      async begin({ installation }) {
        signal(installation.pids()['otp'] ?? 0, 'SIGSTOP');
        return async () => {
          if (await answersSoon(installation, 'otp')) throw new Error('otp is live');
          await installation.kill9('otp');
        };
      },
    },
  ],
  [
    {
      alerts: ['DatabaseConnectionsHigh'],
      fault: `another program leaves ${LEAKED_SESSIONS} sessions open`,
      cleared: 'step 1 names the program; its sessions are ended',
      begin: leakSessions,
    },
  ],
];

/** Sets the simulator's faults. The returned step clears them, as if the platform recovered on its own. */
async function platformWith(/** @type {Installation} */ installation, /** @type {object} */ faults) {
  await control(installation, 'faults', faults);
  return async () => void (await control(installation, 'faults', {}));
}

async function restart(
  /** @type {Installation} */ installation,
  /** @type {string} */ service,
  /** @type {Record<string, string>} */ environment,
) {
  await installation.restart(service, environment);
  await eventually(`${service} to take work`, () => installation.takesWork(service), { timeoutMs: READY_TIMEOUT_MS });
}

/** Drops the empty future partitions of three months, so that the catch-all partition covers their range. */
async function dropMonths(/** @type {World} */ { installation }) {
  const months = (await sqlOf(installation, 'PartitionMissing', /inhrelid/))
    .map(({ inhrelid }) => String(inhrelid).replace('messaging.', ''))
    .filter((name) => /^messages_\d{4}_\d{2}$/.test(name));
  const ahead = months.slice(-3);
  await query(installation, `BEGIN; ${ahead.map((name) => `DROP TABLE messaging.${name};`).join(' ')} COMMIT`);
  return async () => {
    const left = await sqlOf(installation, 'PartitionMissing', /inhrelid/);
    if (left.some(({ inhrelid }) => ahead.some((name) => String(inhrelid).endsWith(name))))
      throw new Error('the months are there already');
    await sqlOf(installation, 'PartitionMissing', /xact_start/);
    await restart(installation, 'messaging', {});
  };
}

async function secondGateway(/** @type {World} */ { installation, dir }) {
  const files = { cert: join(dir, 'tls.crt'), key: join(dir, 'tls.key') };
  await writeCertificate(files, 10);
  const tls = { TLS_CERT_FILE: files.cert, TLS_KEY_FILE: files.key, TLS_RELOAD_SECONDS: '1' };
  installation.addReplica(SECOND_GATEWAY, tls);
  await untilReady(installation, [SECOND_GATEWAY]);
  let isShared = false;
  return async () => {
    await writeCertificate(files, 365);
    if (isShared) return;
    const folder = join(dir, 'redis');
    makeFolder(folder);
    const redis = await startPrivateRedis({ dir: folder, port: await anyFreePort() });
    await installation.restart(SECOND_GATEWAY, { REDIS_URL: redis.url });
    await restart(installation, 'gateway', { REDIS_URL: redis.url });
    isShared = true;
  };
}

async function writeCertificate(/** @type {{ cert: string, key: string }} */ files, /** @type {number} */ days) {
  const { cert, private: key } = await generate([{ name: 'commonName', value: 'localhost' }], {
    keyType: 'ec',
    notAfterDate: new Date(Date.now() + days * DAY_MS),
  });
  writeFileSync(files.key, key, { mode: 0o600 });
  writeFileSync(files.cert, cert);
}

/**
 * Enables RabbitMQ's Prometheus plugin on a separate port, because the brokers of chaos tests start without plugins.
 */
async function showBrokerFigures(/** @type {Installation['broker']} */ broker, /** @type {number} */ port) {
  const listen = `[{port, ${port}}, {ip, "127.0.0.1"}]`;
  await broker.command(
    'rabbitmqctl',
    'eval',
    `application:set_env(rabbitmq_prometheus, tcp_config, ${listen}, [{persistent, true}]).`,
  );
  await broker.command('rabbitmq-plugins', 'enable', 'rabbitmq_prometheus');
}

/** Redelivers a message that has already failed nineteen times. */
async function failForTheLastTime(/** @type {World} */ { installation }) {
  const { broker } = installation;
  const queue = 'webhooks.deliver-event.v1';
  const rename = (/** @type {string} */ from, /** @type {string} */ to) =>
    query(installation, `ALTER TABLE webhooks.${from} RENAME TO ${to}`);
  await rename('pending_deliveries', 'pending_deliveries_of_later');
  const connection = await connect(broker.url);
  const channel = await connection.createConfirmChannel();
  channel.sendToQueue(queue, Buffer.from('{"deliveryId":"dlv_01jd0000000000000000000000"}'), {
    messageId: 'failed-often',
    persistent: true,
    headers: { 'x-failures': 19 },
  });
  await channel.waitForConfirms();
  await connection.close();
  let isMended = false;
  return async () => {
    if (!isMended) await rename('pending_deliveries_of_later', 'pending_deliveries');
    isMended = true;
    const { queues } = await ops(installation, 'DeadLetters', 'dead-letters list', []);
    for (const { queue: name } of queues) {
      const { deadLetters } = await ops(installation, 'DeadLetters', 'dead-letters list', ['--queue', name]);
      if (deadLetters.some((/** @type {{ reason: string }} */ { reason }) => !/does not exist/.test(reason)))
        throw new Error(`another reason: ${JSON.stringify(deadLetters)}`);
      await ops(installation, 'DeadLetters', 'dead-letters send-back', ['--queue', name, '--all']);
    }
  };
}

async function holdMessages(/** @type {World} */ { installation, load }) {
  const holder = new pg.Client({
    connectionString: installation.databaseUrl,
    application_name: 'forgotten-console',
  });
  holder.on('error', () => undefined); // terminated on purpose
  await holder.connect();
  await holder.query('BEGIN');
  await holder.query('LOCK TABLE messaging.messages IN ACCESS EXCLUSIVE MODE');
  load.hurry(true);
  return async () => {
    load.hurry(false);
    const blocked = await sqlOf(installation, 'LoopStalled', /pg_blocking_pids/);
    const pids = new Set(blocked.filter(({ by_name: name }) => name === 'forgotten-console').map(({ by }) => by));
    if (pids.size === 0 && blocked.length > 0) throw new Error(`nobody is named: ${JSON.stringify(blocked)}`);
    for (const pid of pids) await query(installation, `SELECT pg_terminate_backend(${pid})`);
  };
}

async function leakSessions(/** @type {World} */ { installation }) {
  const sessions = Array.from(
    { length: LEAKED_SESSIONS },
    () => new pg.Client({ connectionString: installation.databaseUrl, application_name: 'leaky-report' }),
  );
  for (const session of sessions) session.on('error', () => undefined);
  for (const session of sessions) await session.connect();
  return async () => {
    const [most] = await sqlOf(installation, 'DatabaseConnectionsHigh', /GROUP BY/);
    if (most?.['application_name'] !== 'leaky-report') throw new Error(`most are of ${JSON.stringify(most)}`);
    await query(
      installation,
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'leaky-report'",
    );
  };
}

/** Returns true when a process answers its liveness probe within the Kubernetes timeout. */
function answersSoon(/** @type {Installation} */ { managementPortOf }, /** @type {string} */ service) {
  return fetch(`http://127.0.0.1:${managementPortOf(service)}/live`, { signal: AbortSignal.timeout(1_000) }).then(
    ({ ok }) => ok,
    () => false,
  );
}

/** Runs an operator command from the alert's runbook. */
function ops(
  /** @type {Installation} */ installation,
  /** @type {string} */ alert,
  /** @type {string} */ command,
  /** @type {string[]} */ options,
) {
  if (!runbookOf(alert).includes(command)) throw new Error(`the runbook of ${alert} does not say "${command}"`);
  return installation.ops(...command.split(' '), ...options);
}

/** Runs the SQL statement of the alert's runbook that contains `mark`. @returns {Promise<Record<string, unknown>[]>} */
async function sqlOf(
  /** @type {Installation} */ installation,
  /** @type {string} */ alert,
  /** @type {RegExp} */ mark,
) {
  const statements = [...runbookOf(alert).matchAll(/`(SELECT [^`]+;)`/g)].map(([, statement = '']) => statement);
  const statement = statements.find((text) => mark.test(text));
  if (!statement) throw new Error(`the runbook of ${alert} has no such statement`);
  return query(installation, statement);
}

function runbookOf(/** @type {string} */ alert) {
  return readFileSync(join(ROOT, `docs/operations/runbooks/${alert}.md`), 'utf8');
}

/** @returns {Promise<Record<string, unknown>[]>} */
async function query(/** @type {Installation} */ { databaseUrl }, /** @type {string} */ sql) {
  const result = await withClient(databaseUrl, (client) => client.query(sql));
  return Array.isArray(result) ? [] : result.rows;
}
