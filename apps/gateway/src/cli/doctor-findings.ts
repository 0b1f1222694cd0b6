import type { ServiceQueues } from '@switchboard/broker';
import { versionProblem, versionState } from '@switchboard/upstream';

export interface Finding {
  check: string;
  /**
   * `problem`: affects customers now or soon, or the check did not finish. `warning`: needs attention. `skipped`: not
   * checked.
   */
  state: 'ok' | 'warning' | 'problem' | 'skipped';
  finding: string;
  /** Recommended action; empty when none is needed. */
  advice: string;
}

export interface DatabaseFacts {
  version: string;
  used: number;
  most: number;
  pendingMigrations: readonly string[];
}

/** Business number that needs attention. */
export interface SickNumber {
  accountId: string;
  phoneNumber: string;
  status: string;
  stoppedReason?: string | null;
}

/** Fraction of the allowed connections above which a warning is reported. */
const CONNECTIONS_WARNING = 0.8;
const WAITING_WARNING = 1_000;
/** Maximum names listed in a finding; the others are counted. */
const NAMES_SHOWN = 5;

/** Directory of the runbooks that findings link to. */
export const RUNBOOKS = 'docs/operations/runbooks';

export const ok = (check: string, finding: string): Finding => ({ check, state: 'ok', finding, advice: '' });
export const problem = (check: string, finding: string, advice: string): Finding => ({
  check,
  state: 'problem',
  finding,
  advice,
});
export const warning = (check: string, finding: string, advice: string): Finding => ({
  check,
  state: 'warning',
  finding,
  advice,
});
export const skipped = (check: string, reason: string, advice = ''): Finding => ({
  check,
  state: 'skipped',
  finding: `not checked: ${reason}`,
  advice,
});

/** @param facts database state as visible to the gateway's login */
export function judgeDatabase({ version, used, most, pendingMigrations }: DatabaseFacts): Finding[] {
  const connections = `${used} of ${most} connections are used`;
  return [
    ok('database', `PostgreSQL ${version} responds`),
    used > most * CONNECTIONS_WARNING
      ? warning('connections', connections, 'Raise max_connections, or lower DATABASE_…_CONNECTIONS of the services.')
      : ok('connections', connections),
    pendingMigrations.length > 0
      ? problem('migrations', `not run: ${named(pendingMigrations)}`, 'Run the migrations of all services.')
      : ok('migrations', "the gateway's migrations have run"),
  ];
}

/** Returns one finding per service, and one about dead letters. */
export function judgeQueues(services: readonly ServiceQueues[]): Finding[] {
  const dead = services.flatMap(({ deadLetters }) => deadLetters);
  const count = dead.reduce((sum, one) => sum + one.count, 0);
  return [
    ...services.map(judgeService),
    count > 0
      ? warning(
          'dead letters',
          `${count} in ${named(dead.map(({ queue }) => queue))}`,
          'Look at them with dead-letters list --queue <queue>, repair the cause, then dead-letters send-back.',
        )
      : ok('dead letters', 'none'),
  ];
}

/** @param blockedBy reason from the broker for blocking publishers */
export function judgePublishing(blockedBy: string | undefined): Finding {
  if (blockedBy === undefined) return ok('publishing', 'RabbitMQ confirms messages');
  const finding = `RabbitMQ blocks all publishers: ${blockedBy}`;
  return problem('publishing', finding, `Clear the alarm: ${RUNBOOKS}/BrokerAlarm.md`);
}

function judgeService({ service, queues, missing, unavailable, withoutConsumer, waiting }: ServiceQueues): Finding {
  if (unavailable.length > 0)
    return problem(
      service,
      `RabbitMQ gives no state of ${unavailable.length} queues: ${named(unavailable)}`,
      `Their node is down or does not respond: ${RUNBOOKS}/BrokerNodeDown.md`,
    );
  if (missing.length > 0)
    return problem(service, `queues are missing: ${named(missing)}`, "Run the broker's set-up of this version.");
  if (withoutConsumer.length === queues)
    return problem(service, 'no process of it takes messages', 'Start it, and look at its log.');
  if (withoutConsumer.length > 0)
    return problem(
      service,
      `nobody takes messages from ${named(withoutConsumer)}`,
      'Its processes are of an older version, or are starting: finish the rollout.',
    );
  if (waiting > WAITING_WARNING)
    return warning(service, `${waiting} messages wait`, 'Look at its CPU, and at its database; add replicas.');
  return ok(service, `runs; ${waiting} messages wait`);
}

/**
 * @param looked number of business numbers that were checked
 * @param options.isPartial true if the deadline passed before all were checked
 */
export function judgeNumbers(
  sick: readonly SickNumber[],
  looked: number,
  { isPartial = false }: { isPartial?: boolean } = {},
): Finding[] {
  const checked = isPartial ? `checked the first ${looked}, then the time was over` : `checked ${looked}`;
  if (sick.length === 0) {
    const finding = `none is stopped (${checked})`;
    return [
      isPartial ? warning('numbers', finding, 'Run doctor when messaging is less busy.') : ok('numbers', finding),
    ];
  }
  const shown = sick.map(({ accountId, phoneNumber, status, stoppedReason }) =>
    [`${phoneNumber} of ${accountId} (${status})`, stoppedReason].filter(Boolean).join(': '),
  );
  const advice = 'numbers check --account <id> --phone-number <digits> says what each needs.';
  return [warning('numbers', `${sick.length} cannot send (${checked}): ${named(shown)}`, advice)];
}

/**
 * @param unknown number of stored secrets that the configured keys cannot decrypt
 * @param all number of stored secrets
 */
export function judgeSecrets({ unknown, all }: { unknown: number; all: number }): Finding[] {
  if (unknown === 0) return [ok('secrets', `all ${all} can be opened`)];
  const finding = `${unknown} of ${all} cannot be opened with the keys that are set`;
  const advice = 'secrets status counts them by service and column; set ENCRYPTION_KEY_PREVIOUS, or store them again.';
  return [problem('secrets', finding, advice)];
}

/** Page about the platform's versions and their ends. */
const UPGRADE_VERSION = 'docs/operations/platform-version.md';

/** @param versions API version of the upstream platform that each service uses */
export function judgeVersions(versions: Readonly<Record<string, string>>, now: Date): Finding[] {
  const check = 'platform version';
  const used = [...new Set(Object.values(versions))];
  if (used.length > 1) {
    const finding = Object.entries(versions).map(([service, version]) => `${service} uses ${version}`);
    return [
      warning(check, finding.join(', '), 'Set the same UPSTREAM_API_VERSION for both services and restart them.'),
    ];
  }
  return used.map((version) => {
    const found = versionState(version, now);
    const finding = versionProblem(version, now);
    if (finding === undefined) {
      const ends = 'ends' in found ? found.ends : null;
      return ok(check, ends === null ? `${version}, whose end is not announced` : `${version}, which ends on ${ends}`);
    }
    const advice = `Set UPSTREAM_API_VERSION to a tested version: ${UPGRADE_VERSION}`;
    return found.state === 'ended' ? problem(check, finding, advice) : warning(check, finding, advice);
  });
}

/** Lists the first names and counts the others. */
export function named(names: readonly string[]): string {
  const rest = names.length - NAMES_SHOWN;
  return names.slice(0, NAMES_SHOWN).join(', ') + (rest > 0 ? ` and ${rest} more` : '');
}
