import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { World } from '../world';

export const RECEIVER_PATH = '/receiver';
const MAX_CHALLENGE_CHARACTERS = 1_024;

type Challenge = FastifyRequest<{ Querystring: Record<string, unknown> }>;

/**
 * Registers a webhook endpoint under `/receiver` and any path below it. It responds to the verification challenge,
 * returns 200 to every POST, and stores requests for the page.
 */
export function registerReceiver(app: FastifyInstance, world: World): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
  for (const path of ['/', '/*']) {
    app.get(path, async (request: Challenge, reply) => answerChallenge(world, request, reply));
    app.post(path, async (request, reply) => {
      record(world, request, 200);
      return reply.send();
    });
  }
}

function answerChallenge(world: World, request: Challenge, reply: FastifyReply): FastifyReply {
  const { 'hub.mode': mode, 'hub.verify_token': token, 'hub.challenge': challenge } = request.query;
  reply.type('text/plain; charset=utf-8').header('x-content-type-options', 'nosniff');
  if (mode === undefined) return reply.send('A receiver of webhooks: POST to this address. The page shows what came.');
  const isMeant = mode === 'subscribe' && typeof token === 'string' && isSame(token, world.received.verifyToken);
  const isAnswered = isMeant && typeof challenge === 'string' && challenge.length <= MAX_CHALLENGE_CHARACTERS;
  const status = isAnswered ? 200 : 403;
  record(world, request, status);
  return reply.code(status).send(isAnswered ? challenge : 'the verify token is not the one of this receiver');
}

function record({ received }: World, { method, url, headers, body }: FastifyRequest, status: number): void {
  const named = Object.entries(headers).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)]],
  );
  received.add({
    at: new Date().toISOString(),
    method,
    path: url,
    status,
    headers: Object.fromEntries(named) as Record<string, string>,
    body: Buffer.isBuffer(body) ? body : Buffer.alloc(0),
  });
}

/** Compares in constant time. Hashing also hides the lengths. */
function isSame(given: string, wanted: string): boolean {
  const [left, right] = [given, wanted].map((text) => createHash('sha256').update(text).digest()) as [Buffer, Buffer];
  return timingSafeEqual(left, right);
}
