// What a user would write instead: a worker of a job queue that signs and posts, without a log. The queue retries. It
// is BullMQ on Redis, or one that keeps its jobs in PostgreSQL, as we do: pg-boss or graphile-worker.
import { createHmac } from 'node:crypto';
import { Worker } from 'bullmq';
import { run } from 'graphile-worker';
import { Redis } from 'ioredis';
import PgBoss from 'pg-boss';
import { Agent, request } from 'undici';

interface Job {
  url: string;
  body: string;
}

/** Jobs that one worker of pg-boss takes at a time: the next ones come when all of them have ended. */
const BOSS_BATCH = 50;
/** Each connection takes one job at a time out of graphile-worker's queue. */
const GRAPHILE_CONNECTIONS = 20;

const [queue = '', url = '', concurrency = '1'] = process.argv.slice(2);
const dispatcher = new Agent({ keepAliveTimeout: 2_000 });

const workers: Record<string, () => Promise<unknown>> = {
  bullmq: () => {
    const connection = new Redis(url, { maxRetriesPerRequest: null });
    const worker = new Worker<Job>('webhooks', ({ data }) => deliver(data), {
      connection,
      concurrency: Number(concurrency),
    });
    return worker.waitUntilReady();
  },
  'pg-boss': async () => {
    const boss = await new PgBoss(url).start();
    const options = { batchSize: BOSS_BATCH, pollingIntervalSeconds: 0.5 };
    for (let taken = 0; taken < Number(concurrency); taken += BOSS_BATCH) {
      const id: string = await boss.work<Job>('webhooks', options, async (jobs) => {
        // A worker that found jobs looks again at once.
        boss.notifyWorker(id);
        await Promise.all(jobs.map(({ data }) => deliver(data)));
      });
    }
  },
  'graphile-worker': () =>
    run({
      connectionString: url,
      concurrency: Number(concurrency),
      maxPoolSize: GRAPHILE_CONNECTIONS,
      noHandleSignals: true,
      taskList: { deliver: (job) => deliver(job as Job) },
    }),
};

async function deliver({ url: address, body }: Job): Promise<void> {
  const headers = {
    'content-type': 'application/json',
    'x-service-signature': `sha256=${createHmac('sha256', 'secret').update(body).digest('hex')}`,
  };
  const signal = AbortSignal.timeout(10_000);
  const response = await request(address, { dispatcher, method: 'POST', headers, body, signal });
  await response.body.dump();
  if (response.statusCode !== 200) throw new Error(`answered ${response.statusCode}`);
}

await workers[queue]?.();
process.stdout.write('ready\n');
process.once('SIGTERM', () => process.exit(0));
