// Baseline: a job queue worker that signs and posts, without a delivery log. The queue retries. Uses BullMQ on Redis,
// or pg-boss or graphile-worker, which store their jobs in PostgreSQL like the dispatcher.
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

/** Batch size of a pg-boss worker, which fetches the next batch when all jobs of the last one have ended. */
const BOSS_BATCH = 50;
/** Number of connections, each of which processes one graphile-worker job at a time. */
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
        // Fetch again after this batch without waiting for the polling interval.
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
