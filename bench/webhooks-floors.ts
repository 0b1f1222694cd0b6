import { messageStatusChangedV1, newId } from '@switchboard/contracts';
import { Queue } from 'bullmq';
import { makeWorkerUtils } from 'graphile-worker';
import { Redis } from 'ioredis';
import PgBoss from 'pg-boss';

/** Webhook dispatcher to compare: the service's or a baseline. */
export interface Contender {
  close?(): Promise<unknown>;
  /** Enqueues events, spread over the endpoints. */
  produce(count: number): Promise<void>;
  /** Ids of the dispatcher's processes, which are all equal. */
  pids: readonly number[];
}

export type Start = (
  program: string,
  args: string[],
  env?: Record<string, string>,
) => Promise<{ pid: number; line: string }>;

export interface FloorOptions {
  receiver: string;
  endpoints: number;
  inFlight: number;
  start: Start;
}

const HANDED_OVER_TOGETHER = 200;
const ATTEMPTS = 5;
const FIRST_RETRY_SECONDS = 5;

export async function openBullMq(redisUrl: string, options: FloorOptions): Promise<Contender> {
  const connection = new Redis(redisUrl, { maxRetriesPerRequest: null });
  const queue = new Queue('webhooks', { connection });
  const retries = { attempts: ATTEMPTS, backoff: { type: 'exponential', delay: FIRST_RETRY_SECONDS * 1_000 } };
  const opts = { ...retries, removeOnComplete: true };
  return {
    ...(await startFloor('bullmq', redisUrl, options)),
    close: async () => {
      await queue.close();
      connection.disconnect();
    },
    produce: inParts(options, (jobs) => queue.addBulk(jobs.map((data) => ({ name: 'deliver', data, opts })))),
  };
}

/** @param databaseUrl URL of an empty database */
export async function openPgBoss(databaseUrl: string, options: FloorOptions): Promise<Contender> {
  const boss = await new PgBoss(databaseUrl).start();
  const retries = { retryLimit: ATTEMPTS - 1, retryDelay: FIRST_RETRY_SECONDS, retryBackoff: true };
  await boss.createQueue('webhooks', { name: 'webhooks', ...retries });
  return {
    ...(await startFloor('pg-boss', databaseUrl, options)),
    close: () => boss.stop({ graceful: false }),
    produce: inParts(options, (jobs) => boss.insert(jobs.map((data) => ({ name: 'webhooks', data })))),
  };
}

/** @param databaseUrl URL of an empty database */
export async function openGraphileWorker(databaseUrl: string, options: FloorOptions): Promise<Contender> {
  const utils = await makeWorkerUtils({ connectionString: databaseUrl });
  await utils.migrate();
  const add = `SELECT 1 FROM graphile_worker.add_jobs(ARRAY(
    SELECT ROW ('deliver', payload, NULL, NULL, ${ATTEMPTS}, NULL, NULL, NULL)::graphile_worker.job_spec
    FROM json_array_elements($1::json) AS payload))`;
  return {
    ...(await startFloor('graphile-worker', databaseUrl, options)),
    close: async () => utils.release(),
    produce: inParts(options, (jobs) => utils.withPgClient((client) => client.query(add, [JSON.stringify(jobs)]))),
  };
}

async function startFloor(
  queue: string,
  url: string,
  { start, inFlight }: FloorOptions,
): Promise<Pick<Contender, 'pids'>> {
  const { pid } = await start('webhooks-floor', [queue, url, String(inFlight)]);
  return { pids: [pid] };
}

function inParts({ receiver, endpoints }: FloorOptions, add: (jobs: { url: string; body: string }[]) => unknown) {
  return async (count: number): Promise<void> => {
    const jobs = Array.from({ length: count }, (_, n) => ({ url: `${receiver}/${n % endpoints}`, body: newBody() }));
    for (let at = 0; at < jobs.length; at += HANDED_OVER_TOGETHER) await add(jobs.slice(at, at + HANDED_OVER_TOGETHER));
  };
}

function newBody(): string {
  return JSON.stringify({ ...messageStatusChangedV1.sample, id: newId('msg'), timestamp: new Date().toISOString() });
}
