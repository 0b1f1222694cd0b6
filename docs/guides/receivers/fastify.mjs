// A webhook receiver with Fastify 5. Run it with `npm install fastify`, then `node fastify.mjs`.
// VERIFY_TOKEN is the token that you enter in the dashboard. WEBHOOK_SECRET is the secret that the dashboard shows
// then: start the receiver without it, add the endpoint, and start the receiver again with it.
import { createHmac, timingSafeEqual } from 'node:crypto';
import fastify from 'fastify';

const { WEBHOOK_SECRET = '', VERIFY_TOKEN, PORT = '8080' } = process.env;
const KEY = Buffer.from(WEBHOOK_SECRET.replace('whsec_', ''), 'base64');
const TOLERANCE_SECONDS = 300;
const seen = new Set(); // In production: a table with a unique event id.

function isSigned(headers, body) {
  const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures = '' } = headers;
  const isRecent = Math.abs(Date.now() / 1_000 - Number(timestamp)) <= TOLERANCE_SECONDS;
  if (KEY.length === 0 || !isRecent) return false;
  const expected = createHmac('sha256', KEY).update(`${id}.${timestamp}.`).update(body).digest();
  // During a secret rotation there are two signatures, one per secret. A single match is enough.
  return signatures.split(' ').some((signature) => {
    const given = Buffer.from(signature.replace('v1,', ''), 'base64');
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
}

const app = fastify();

// The signature covers the raw bytes, so the body is not parsed.
app.removeAllContentTypeParsers();
app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));

// The challenge: the service sends it once, when you save the URL.
app.get('/hook', async ({ query }, reply) => {
  if (VERIFY_TOKEN === undefined || query['hub.verify_token'] !== VERIFY_TOKEN) return reply.code(403).send();
  return reply.type('text/plain').send(query['hub.challenge']);
});

app.post('/hook', async ({ headers, body }, reply) => {
  if (!Buffer.isBuffer(body) || !isSigned(headers, body)) return reply.code(401).send();
  const id = headers['webhook-id'];
  // Respond within 10 seconds, and process the event afterwards. The same event may arrive more than once.
  if (!seen.has(id)) setImmediate(() => console.log('event', id, body.toString()));
  seen.add(id);
  return reply.code(200).send();
});

app.listen({ port: Number(PORT) });
