import {
  type BrokerAddress,
  type BrokerAdmin,
  brokerCluster,
  publishersBlockedBy,
  serviceQueues,
} from '@switchboard/broker';
import { query } from '@switchboard/database';
import { withTimeout } from '@switchboard/platform';
import { DataSource } from 'typeorm';
import { AccountsService } from '../accounts/accounts.service';
import { variableNames } from '../config';
import { migrations } from '../migrations/index';
import type { Console } from '../commands/console';
import { judgeCluster, judgeReplication, type ReplicationFacts } from './cluster-findings';
import {
  type DatabaseFacts,
  type Finding,
  judgeDatabase,
  judgeNumbers,
  judgePublishing,
  judgeQueues,
  judgeSecrets,
  judgeVersions,
  ok,
  problem,
  RUNBOOKS,
  type SickNumber,
  skipped,
  warning,
} from './doctor-findings';
import { doctorReport } from './doctor-report';
import type { Operator } from '../commands/operator';
import { countUnreadable } from './secret-commands';
import { unreadSettings } from './unread-settings';
import { Unfinished } from '../commands/unfinished';

/**
 * Time from the start of the process to the end of all checks, in milliseconds. Leaves two of the ten seconds that
 * `doctor` may take.
 */
const TOTAL_MS = 8_000;
/** Maximum time of one check, in milliseconds. */
const CHECK_MS = 6_000;
/** Minimum time for a check, in milliseconds. With less, a busy machine would be reported as unreachable. */
const LEAST_MS = 2_500;
/** Startup time in milliseconds above which a finding mentions it. */
const START_MS = 3_000;
/** Part of a check's time that is reserved for closing its connections, in milliseconds. */
const CLOSE_MS = 1_000;
/** Number of accounts per page. */
const PAGE = 500;
/** Maximum accounts whose numbers are requested concurrently. */
const ASKED_TOGETHER = 10;

/** Selects database facts without pg_stat_activity, which hides the backend type of other logins' sessions. */
const FACTS = `
  SELECT current_setting('server_version') AS version, current_setting('max_connections')::int AS most,
    (SELECT sum(numbackends) FROM pg_stat_database)::int AS used`;

/** Selects replication facts. Sessions of other logins are visible only with pg_monitor. */
const REPLICATION = `
  SELECT pg_is_in_recovery() AS "isStandby", current_setting('synchronous_standby_names') AS "synchronousNames",
    current_setting('cluster_name') AS "clusterName",
    (SELECT count(*) FROM pg_stat_activity
      WHERE wait_event = 'SyncRep' AND query_start < clock_timestamp() - interval '2 seconds')::int AS "waitingCommits"`;

/** Selects all standbys. Columns other than the name are null without pg_monitor. */
const STANDBYS = `
  SELECT application_name AS name, pg_wal_lsn_diff(pg_current_wal_lsn(), replay_lsn)::float8 AS "lagBytes"
  FROM pg_stat_replication WHERE state IS DISTINCT FROM 'backup' ORDER BY application_name`;

/** Deadline of the checks, on the clock of `performance.now()`. */
type Deadline = number;

/** Adds `doctor`, which is read-only. */
export function addDoctorCommand({ operator, command, columns, startedAt }: Console): void {
  command('doctor', null, 'Diagnose this installation within 10 s; exit code 1 if there is a problem', {
    options: (verb) => verb,
    run: async () => {
      const findings = await examine(operator, startedAt + TOTAL_MS);
      const broken = findings.filter(({ state }) => state === 'problem').map(({ check }) => check);
      if (broken.length > 0)
        throw new Unfinished('INVALID_VALUE', `something is wrong: ${broken.join(', ')}`, { findings });
      return { findings };
    },
    text: ({ findings }: { findings: Finding[] }) => doctorReport(findings, columns),
  });
}

async function examine(operator: Operator, deadline: Deadline): Promise<Finding[]> {
  try {
    operator.config();
  } catch (error) {
    return [problem('settings', onOneLine(wordsOf(error)), 'docs/configuration.md describes every setting.')];
  }
  const startMs = TOTAL_MS - (deadline - performance.now());
  const [database, broker, cluster] = await Promise.all([
    examineDatabase(operator, deadline),
    examineBroker(operator.config(), deadline),
    examineCluster(operator.config(), deadline),
  ]);
  const found = [
    judgeSettings(operator.config().SETTINGS_FILE),
    ...judgeStart(startMs),
    ...database,
    ...broker,
    ...cluster,
  ];
  // Skips these checks on a broken broker or database: messaging could not respond, and a request would declare the
  // topology on a new broker.
  if ([...database, ...broker].some(({ state }) => state === 'problem'))
    return [
      ...found,
      ...['numbers', 'secrets', 'platform version'].map((check) => skipped(check, 'the problems above come first')),
    ];
  const asked = await Promise.all([
    examined('numbers', { deadline, advice: 'Read the log of messaging.' }, (ms) => examineNumbers(operator, ms)),
    examined('secrets', { deadline, advice: 'secrets status shows what each service has.' }, async () =>
      judgeSecrets(await countUnreadable(operator)),
    ),
    examined('platform version', { deadline, advice: 'Read the log of messaging and templates.' }, async () =>
      judgeVersions(await versionsOf(operator), new Date()),
    ),
  ]);
  return [...found, ...asked.flat()];
}

/** @param file file that sets all variables of the environment; absent if there are other sources */
function judgeSettings(file: string | undefined): Finding {
  const unread = file === undefined ? [] : unreadSettings(variableNames());
  if (unread.length === 0) return ok('settings', 'are complete');
  const names = unread.map(({ name, suggestion }) => (suggestion ? `${name} (did you mean ${suggestion}?)` : name));
  return warning(
    'settings',
    `no program reads these of ${file}: ${names.join(', ')}`,
    'docs/configuration.md lists all settings; those of docker/env.example belong into docker/.env.',
  );
}

/** Reports a slow start. Without CPU time, every service would appear to be down. */
function judgeStart(startMs: number): Finding[] {
  if (startMs < START_MS) return [];
  const seconds = (startMs / 1_000).toFixed(1);
  return [
    warning('this machine', `needed ${seconds} s to start this command, so checks had less time`, 'Free some CPU.'),
  ];
}

async function examineDatabase(operator: Operator, deadline: Deadline): Promise<Finding[]> {
  const advice = `Check that PostgreSQL runs. DATABASE_URL must lead to it, with the login of the gateway. ${RUNBOOKS}/DependencyAway.md`;
  const found = await examined('database', { deadline, advice }, async () =>
    judgeDatabase(await databaseFacts(await operator.get(DataSource))),
  );
  if (found.some(({ check, state }) => check === 'database' && state === 'problem'))
    return [...found, skipped('replication', 'the database comes first')];
  const replication = await examined(
    'replication',
    { deadline, advice: `${RUNBOOKS}/DatabaseStandbyAway.md` },
    async () => judgeReplication(await replicationFacts(await operator.get(DataSource))),
  );
  return [...found, ...replication];
}

async function examineBroker(
  { RABBITMQ_URL: url, BROKER_NAMESPACE: namespace }: ReturnType<Operator['config']>,
  deadline: Deadline,
): Promise<Finding[]> {
  const address: BrokerAddress = { url, namespace };
  const advice = `Check that RabbitMQ runs. RABBITMQ_URL must lead to it, with a login that may read queues. ${RUNBOOKS}/DependencyAway.md`;
  const [queues, publishing] = await Promise.all([
    examined('broker', { deadline, advice }, async (ms) => [
      ok('broker', 'RabbitMQ responds'),
      ...judgeQueues(await serviceQueues(address, { timeoutMs: ms - CLOSE_MS })),
    ]),
    examined('publishing', { deadline, advice: `${RUNBOOKS}/DependencyAway.md` }, async (ms) => [
      judgePublishing(await publishersBlockedBy(address, { timeoutMs: ms - CLOSE_MS })),
    ]),
  ]);
  const isAway = queues.some(({ check, state }) => check === 'broker' && state === 'problem');
  return isAway ? [...queues, skipped('publishing', 'the broker comes first')] : [...queues, ...publishing];
}

async function examineCluster(
  {
    RABBITMQ_URL: ownUrl,
    RABBITMQ_ADMIN_URL: url = ownUrl,
    RABBITMQ_MANAGEMENT_URL: managementUrl,
    BROKER_NAMESPACE: namespace,
  }: ReturnType<Operator['config']>,
  deadline: Deadline,
): Promise<Finding[]> {
  if (managementUrl === undefined)
    return [
      skipped(
        'cluster',
        'RABBITMQ_MANAGEMENT_URL is not set, so nodes, majorities and leaders of queues are unknown',
        'Set it, and RABBITMQ_ADMIN_URL to a login with the tag monitoring. On a node: rabbitmqctl cluster_status',
      ),
    ];
  const admin: BrokerAdmin = { url, managementUrl, namespace };
  const advice = `RABBITMQ_MANAGEMENT_URL must lead to the management API, and RABBITMQ_ADMIN_URL have a login with the tag monitoring. ${RUNBOOKS}/BrokerNodeDown.md`;
  return examined('cluster', { deadline, advice }, async (ms) =>
    judgeCluster(await brokerCluster(admin, { timeoutMs: ms })),
  );
}

/** Runs a check. An error becomes a finding. */
async function examined(
  check: string,
  { deadline, advice }: { deadline: Deadline; advice: string },
  examine: (ms: number) => Promise<Finding[]>,
): Promise<Finding[]> {
  const startedAt = performance.now();
  const ms = Math.round(Math.min(CHECK_MS, Math.max(LEAST_MS, deadline - startedAt)));
  try {
    return await withTimeout(examine(ms), ms, () => new Error('timeout'));
  } catch (error) {
    const waited = ((performance.now() - startedAt) / 1_000).toFixed(1);
    const isLate = LATE.test(wordsOf(error));
    return [problem(check, isLate ? `no response within ${waited} s` : wordsOf(error), advice)];
  }
}

/** Timeout messages of the drivers, `fetch` and the operating system. */
const LATE = /time(d )?out|ETIMEDOUT/i;

/** Describes an error. A refused connection has a code but no message, and `fetch` has the reason in the cause. */
function wordsOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const words = error.message || String(Reflect.get(error, 'code') ?? error.name);
  return error.cause instanceof Error ? `${words}: ${wordsOf(error.cause)}` : words;
}

/** Joins lines, since the output would escape line feeds. */
function onOneLine(words: string): string {
  return words.replace(/\n\s*/, ' ').replaceAll(/\n\s*/g, '; ');
}

async function databaseFacts(dataSource: DataSource): Promise<DatabaseFacts> {
  const [facts] = await query<Omit<DatabaseFacts, 'pendingMigrations'>>(dataSource, FACTS, []);
  if (!facts) throw new Error('the database returned no statistics');
  const done = await query<{ name: string }>(dataSource, 'SELECT name FROM migrations', []);
  const names = new Set(done.map(({ name }) => name));
  const pendingMigrations = migrations.map(({ name }) => name).filter((name) => !names.has(name));
  return { ...facts, pendingMigrations };
}

async function replicationFacts(dataSource: DataSource): Promise<ReplicationFacts> {
  const [facts] = await query<Omit<ReplicationFacts, 'standbys'>>(dataSource, REPLICATION, []);
  if (!facts) throw new Error('the database returned no statistics');
  // A standby has no current WAL position.
  if (facts.isStandby) return { ...facts, standbys: [] };
  return { ...facts, standbys: await query<ReplicationFacts['standbys'][number]>(dataSource, STANDBYS, []) };
}

async function versionsOf({ messaging, templates }: Operator): Promise<Record<string, string>> {
  const [one, other] = await Promise.all([messaging.getUpstreamVersion({}), templates.getUpstreamVersion({})]);
  return { messaging: one.version, templates: other.version };
}

/** Stops before the deadline and reports partial results. */
async function examineNumbers(operator: Operator, ms: number): Promise<Finding[]> {
  const stopAt = performance.now() + ms - CLOSE_MS;
  const sick: SickNumber[] = [];
  let looked = 0;
  for await (const accountIds of accountsOf(operator)) {
    const replies = await Promise.all(accountIds.map((accountId) => numbersOf(operator, accountId)));
    for (const number of replies.flat()) {
      looked += 1;
      if (number.status === 'STOPPED') sick.push(number);
    }
    if (performance.now() > stopAt) return judgeNumbers(sick, looked, { isPartial: true });
  }
  return judgeNumbers(sick, looked);
}

/** Yields all accounts in pages. */
async function* accountsOf(operator: Operator): AsyncGenerator<string[]> {
  const accounts = await operator.get(AccountsService);
  let cursor: string | undefined;
  do {
    const page = await accounts.listAccounts({ limit: PAGE, ...(cursor && { cursor }) });
    for (let from = 0; from < page.length; from += ASKED_TOGETHER)
      yield page.slice(from, from + ASKED_TOGETHER).map(({ accountId }) => accountId);
    cursor = page.length === PAGE ? page.at(-1)?.accountId : undefined;
  } while (cursor !== undefined);
}

async function numbersOf(operator: Operator, accountId: string): Promise<SickNumber[]> {
  const { numbers } = await operator.messaging.listNumbers({ accountId });
  return numbers.map((number) => ({ accountId, ...number }));
}
