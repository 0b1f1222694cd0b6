// A webhook receiver. Run it with `node receiver.ts` (Node 22.18 or later).
// VERIFY_TOKEN is the token that you enter in the dashboard. WEBHOOK_SECRET is the secret that the dashboard shows
// then: start the receiver without it, add the endpoint, and start the receiver again with it.
import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';

const { WEBHOOK_SECRET = '', VERIFY_TOKEN, PORT = '8080' } = process.env;
const KEY = Buffer.from(WEBHOOK_SECRET.replace('whsec_', ''), 'base64');
const TOLERANCE_SECONDS = 300;
const seen = new Set<string>(); // In production: a table with a unique event id.

function isSigned({ headers }: IncomingMessage, body: Buffer): boolean {
  const [id, timestamp] = [headers['webhook-id'], headers['webhook-timestamp']];
  const isRecent = Math.abs(Date.now() / 1_000 - Number(timestamp)) <= TOLERANCE_SECONDS;
  if (KEY.length === 0 || !isRecent) return false;
  const expected = createHmac('sha256', KEY).update(`${id}.${timestamp}.`).update(body).digest();
  // During a secret rotation there are two signatures, one per secret. A single match is enough.
  return String(headers['webhook-signature'])
    .split(' ')
    .some((signature) => {
      const given = Buffer.from(signature.replace('v1,', ''), 'base64');
      return given.length === expected.length && timingSafeEqual(given, expected);
    });
}

async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { searchParams } = new URL(request.url ?? '/', 'http://receiver');
  if (request.method === 'GET') {
    const isOurs = VERIFY_TOKEN !== undefined && searchParams.get('hub.verify_token') === VERIFY_TOKEN;
    response.writeHead(isOurs ? 200 : 403).end(isOurs ? searchParams.get('hub.challenge') : '');
    return;
  }
  const body = Buffer.concat(await request.toArray());
  if (!isSigned(request, body)) {
    response.writeHead(401).end();
    return;
  }
  // Respond within 10 seconds, and process the event afterwards.
  response.writeHead(200).end();
  const id = String(request.headers['webhook-id']);
  if (seen.has(id)) return; // The same event may arrive more than once.
  seen.add(id);
  console.log('event', id, body.toString());
}

createServer((request, response) => {
  receive(request, response).catch((error: Error) => response.destroy(error));
}).listen(Number(PORT));
