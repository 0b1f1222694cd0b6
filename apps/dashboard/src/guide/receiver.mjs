// A webhook receiver. WEBHOOK_SECRET: as the dashboard showed it. VERIFY_TOKEN: as you typed it there.
import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';

const { WEBHOOK_SECRET, VERIFY_TOKEN, PORT = '8080' } = process.env;
const seen = new Set(); // In production: a table with a unique event id.

createServer(async (request, response) => {
  const url = new URL(request.url, 'http://receiver');
  if (request.method === 'GET') {
    const isOurs = url.searchParams.get('hub.verify_token') === VERIFY_TOKEN;
    return response.writeHead(isOurs ? 200 : 403).end(isOurs ? url.searchParams.get('hub.challenge') : '');
  }
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  const body = Buffer.concat(chunks);
  const expected = Buffer.from(`sha256=${createHmac('sha256', WEBHOOK_SECRET).update(body).digest('hex')}`);
  const given = Buffer.from(request.headers['x-service-signature'] ?? '');
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return response.writeHead(401).end();
  const id = request.headers['x-service-event-id'];
  if (!seen.has(id)) console.log('event', id, body.toString()); // The same event may come more than once.
  seen.add(id);
  response.writeHead(200).end();
}).listen(Number(PORT));
