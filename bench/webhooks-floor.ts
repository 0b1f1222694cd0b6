// What a user would write instead: a BullMQ worker that signs and posts, without a log. Its retries are BullMQ's own.
import { createHmac } from 'node:crypto';
import { Worker } from 'bullmq';
import { Redis } from 'ioredis';
import { Agent, request } from 'undici';

interface Job {
  url: string;
  body: string;
}

const [redisUrl = '', concurrency = '1'] = process.argv.slice(2);
const dispatcher = new Agent({ keepAliveTimeout: 2_000 });

const worker = new Worker<Job>(
  'webhooks',
  async ({ data: { url, body } }) => {
    const headers = {
      'content-type': 'application/json',
      'x-service-signature': `sha256=${createHmac('sha256', 'secret').update(body).digest('hex')}`,
    };
    const response = await request(url, {
      dispatcher,
      method: 'POST',
      headers,
      body,
      signal: AbortSignal.timeout(10_000),
    });
    await response.body.dump();
    if (response.statusCode !== 200) throw new Error(`answered ${response.statusCode}`);
  },
  { connection: new Redis(redisUrl, { maxRetriesPerRequest: null }), concurrency: Number(concurrency) },
);
await worker.waitUntilReady();
process.stdout.write('ready\n');
process.once('SIGTERM', () => process.exit(0));
