import { serviceQueues } from '@switchboard/broker';
import { listNumbersV1 } from '@switchboard/contracts';
import { query } from '@switchboard/database';
import type { DataSource } from 'typeorm';
import { migrations } from '../migrations/index';
import type { Console } from './console';
import {
  type DatabaseFacts,
  type Finding,
  judgeDatabase,
  judgeNumbers,
  judgeQueues,
  judgeSecrets,
  ok,
  problem,
  type SickNumber,
} from './doctor-findings';
import type { Operator } from './operator';
import { countUnreadable } from './secret-commands';
import { Unfinished } from './unfinished';

/** Accounts that are read at a time. */
const PAGE = 500;
/** Accounts whose numbers messaging is asked for at a time. */
const ASKED_TOGETHER = 10;

/** Not by pg_stat_activity: there a login sees what kind its own sessions are, and nobody else's. */
const FACTS = `
  SELECT current_setting('server_version') AS version, current_setting('max_connections')::int AS most,
    (SELECT sum(numbackends) FROM pg_stat_database)::int AS used`;

/** `doctor`. It looks and changes nothing. */
export function addDoctorCommand({ operator, command }: Console): void {
  command('doctor', null, 'Tell in words what is wrong with this installation; exit code 1 when something is', {
    options: (verb) => verb,
    run: async () => {
      const findings = await examine(operator);
      const broken = findings.filter(({ state }) => state === 'problem').map(({ check }) => check);
      if (broken.length > 0)
        throw new Unfinished('INVALID_VALUE', `something is wrong: ${broken.join(', ')}`, { findings });
      return { findings };
    },
  });
}

async function examine(operator: Operator): Promise<Finding[]> {
  try {
    operator.config();
  } catch (error) {
    return [problem('settings', wordsOf(error), 'docs/configuration.md describes every setting.')];
  }
  const parts = await Promise.all([
    examined('database', 'DATABASE_URL must lead to the database, with the login of the gateway.', async () =>
      judgeDatabase(await databaseFacts((await operator.database()).dataSource)),
    ),
    examined('broker', 'RABBITMQ_URL must lead to the broker, with a login that may look at queues.', async () => {
      const { RABBITMQ_URL: url, BROKER_NAMESPACE: namespace } = operator.config();
      return [ok('broker', 'RabbitMQ answers'), ...judgeQueues(await serviceQueues({ url, namespace }))];
    }),
  ]);
  const found = [ok('settings', 'are complete'), ...parts.flat()];
  // Only then messaging answers, and to ask on a broker that is not set up would set it up.
  if (found.some(({ state }) => state === 'problem')) return found;
  const asked = await Promise.all([
    examined('numbers', 'Look at the log of messaging.', () => examineNumbers(operator)),
    examined('secrets', 'secrets status shows what each service has.', async () =>
      judgeSecrets(await countUnreadable(operator)),
    ),
  ]);
  return [...found, ...asked.flat()];
}

/** A part that cannot be looked at is what is wrong with it. */
async function examined(check: string, advice: string, look: () => Promise<Finding[]>): Promise<Finding[]> {
  try {
    return await look();
  } catch (error) {
    return [problem(check, wordsOf(error), advice)];
  }
}

/** A refused connection has a code and no words. */
function wordsOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.message || String(Reflect.get(error, 'code') ?? error.name);
}

async function databaseFacts(dataSource: DataSource): Promise<DatabaseFacts> {
  const [facts] = await query<Omit<DatabaseFacts, 'pendingMigrations'>>(dataSource, FACTS, []);
  if (!facts) throw new Error('the database says nothing of itself');
  const done = await query<{ name: string }>(dataSource, 'SELECT name FROM migrations', []);
  const names = new Set(done.map(({ name }) => name));
  const pendingMigrations = migrations.map(({ name }) => name).filter((name) => !names.has(name));
  return { ...facts, pendingMigrations };
}

async function examineNumbers(operator: Operator): Promise<Finding[]> {
  const sick: SickNumber[] = [];
  let looked = 0;
  for await (const accountIds of accountsOf(operator)) {
    const answers = await Promise.all(accountIds.map((accountId) => numbersOf(operator, accountId)));
    for (const number of answers.flat()) {
      looked += 1;
      if (number.status === 'STOPPED') sick.push(number);
    }
  }
  return judgeNumbers(sick, looked);
}

/** All accounts, some at a time. */
async function* accountsOf(operator: Operator): AsyncGenerator<string[]> {
  const { accounts } = await operator.database();
  let cursor: string | undefined;
  do {
    const page = await accounts.listAccounts({ limit: PAGE, ...(cursor && { cursor }) });
    for (let from = 0; from < page.length; from += ASKED_TOGETHER)
      yield page.slice(from, from + ASKED_TOGETHER).map(({ accountId }) => accountId);
    cursor = page.length === PAGE ? page.at(-1)?.accountId : undefined;
  } while (cursor !== undefined);
}

async function numbersOf(operator: Operator, accountId: string): Promise<SickNumber[]> {
  const { numbers } = await operator.request(listNumbersV1, { accountId });
  return numbers.map((number) => ({ accountId, ...number }));
}
