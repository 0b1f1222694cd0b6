// A webhook receiver with Express 5. Run it with `npm install express`, then `node express.mjs`.
// VERIFY_TOKEN is the token that you enter in the dashboard. WEBHOOK_SECRET is the secret that the dashboard shows
// then: start the receiver without it, add the endpoint, and start the receiver again with it.
import { createHmac, timingSafeEqual } from 'node:crypto';
import express from 'express';

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

const app = express();

// The challenge: the service sends it once, when you save the URL.
app.get('/hook', ({ query }, response) => {
  if (VERIFY_TOKEN === undefined || query['hub.verify_token'] !== VERIFY_TOKEN) return response.sendStatus(403);
  response.type('text/plain').send(String(query['hub.challenge']));
});

// The signature covers the raw bytes, so the body must not be parsed first.
app.post('/hook', express.raw({ type: '*/*', limit: '1mb' }), ({ headers, body }, response) => {
  if (!Buffer.isBuffer(body) || !isSigned(headers, body)) return response.sendStatus(401);
  // Respond within 10 seconds, and process the event afterwards.
  response.sendStatus(200);
  const id = headers['webhook-id'];
  if (seen.has(id)) return; // The same event may arrive more than once.
  seen.add(id);
  console.log('event', id, body.toString());
});

app.listen(Number(PORT));
