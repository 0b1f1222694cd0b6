// Webhook receiver that measures the age of events on arrival and never responds on /black-hole.
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

let ages: number[] = [];
/** Pending request that waits for a number of events. */
let waiting: { count: number; response: ServerResponse } | undefined;

function answerWhoWaits(): void {
  if (!waiting || ages.length < waiting.count) return;
  waiting.response.writeHead(200).end();
  waiting = undefined;
}

const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const url = new URL(request.url ?? '/', 'http://receiver');
    if (url.searchParams.has('hub.challenge'))
      return response.writeHead(200).end(url.searchParams.get('hub.challenge'));
    if (url.pathname === '/_ages') {
      response.writeHead(200).end(JSON.stringify(ages));
      ages = [];
      return;
    }
    if (url.pathname === '/_reached') {
      waiting = { count: Number(url.searchParams.get('count')), response };
      return answerWhoWaits();
    }
    if (url.pathname === '/black-hole') return;
    const { timestamp } = JSON.parse(Buffer.concat(chunks).toString()) as { timestamp: string };
    ages.push(Date.now() - Date.parse(timestamp));
    response.writeHead(200).end();
    return answerWhoWaits();
  });
});
server.listen(0, '127.0.0.1', () =>
  process.stdout.write(`http://127.0.0.1:${(server.address() as AddressInfo).port}\n`),
);
process.once('SIGTERM', () => process.exit(0));
