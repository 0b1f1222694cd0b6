import { setTimeout as wait } from 'node:timers/promises';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { GraphCall } from '../graph-call';
import { forcedRefusal, invalidParameter, refusal, unknownObject } from '../graph-error';
import { isObject, type JsonObject } from '../json';
import type { World } from '../world';
import { acceptMessage, markRead } from './accept-message';
import { LATE_ANSWER_MS, type MagicNumber, magicOf } from './magic-numbers';
import { checkMarketing } from './marketing';
import { checkSend } from './validate-message';

/** Assumed size of a request body without a declared length. */
const UNKNOWN_BODY_BYTES = 64 * 1024;

/**
 * Registers `POST /{phone-number-id}/messages` for sends and read receipts, and `/marketing_messages` for marketing
 * templates.
 */
export function registerMessages(app: FastifyInstance, world: World): void {
  app.post<GraphCall>('/:id/messages', (request, reply) => postMessage(world, request, reply));
  app.post<GraphCall>('/:id/marketing_messages', (request, reply) =>
    postMessage(world, request, reply, { isMarketing: true }),
  );
}

async function postMessage(
  world: World,
  request: FastifyRequest<GraphCall>,
  reply: FastifyReply,
  { isMarketing = false } = {},
): Promise<object | undefined> {
  const { id } = request.params;
  const number = world.numbers.byId(id);
  if (!number) throw unknownObject(id, request.method);
  if (!isObject(request.body)) throw invalidParameter('The body must be a JSON object.');
  const body = withParsedContent(request.body);
  if (!number.registration.isRegistered) throw refusal(133010);
  if (body.status !== undefined && !isMarketing) return markRead(world, number, body);
  const send = { ...checkSend(body, number, world), isMarketing };
  if (isMarketing) checkMarketing(body, send, world.businesses.byId(number.wabaId));
  const nowMs = Date.now();
  world.limits.take(number, send.waId, nowMs);
  // Messages within a service window do not count towards the messaging limit.
  if (send.template && !world.customers.hasOpenWindow(number.id, send.waId, nowMs))
    world.portfolios.take(number, send.waId, nowMs);
  const magic = magicOf(send.waId);
  if (magic?.refuse !== undefined) throw forcedRefusal(magic.refuse);
  if (magic?.answer === 'never-taken') return leaveUnanswered(reply);
  if (magic?.answer === 'turned-away') return answerAsProxy(reply, 429, 'Too Many Requests');
  const bodyBytes = Number(request.headers['content-length'] ?? UNKNOWN_BODY_BYTES);
  const { answer, firstStatusReceived } = acceptMessage(world, number, send, { body, bodyBytes });
  if (firstStatusReceived) await firstStatusReceived;
  return giveAnswer(answer, { magic, reply, isCutOff: world.faults.happens(world.faults.current.dropAfterAccept) });
}

/** Parses content given as a string of JSON, which some clients send and the platform accepts. */
function withParsedContent(body: JsonObject): JsonObject {
  const { type } = body;
  const content = typeof type === 'string' && Object.hasOwn(body, type) ? body[type] : undefined;
  if (typeof type !== 'string' || typeof content !== 'string') return body;
  try {
    return { ...body, [type]: JSON.parse(content) as unknown };
  } catch {
    return body;
  }
}

/** Responds to an accepted message: immediately, late, or never. */
async function giveAnswer(
  answer: object,
  { magic, reply, isCutOff }: { magic?: MagicNumber; reply: FastifyReply; isCutOff: boolean },
): Promise<object | undefined> {
  if (isCutOff || magic?.answer === 'cut-off') {
    reply.hijack();
    reply.raw.destroy();
    return undefined;
  }
  if (magic?.answer === 'never') return leaveUnanswered(reply);
  if (magic?.answer === 'without-id') return { messaging_product: 'whatsapp', messages: [] };
  if (magic?.answer === 'bad-gateway') return answerAsProxy(reply, 502, 'Bad Gateway');
  if (magic?.answer === 'late') await wait(LATE_ANSWER_MS, undefined, { ref: false });
  return answer;
}

/** Sends the error page of a proxy in front of the platform, without a Graph envelope. */
function answerAsProxy(reply: FastifyReply, status: number, reason: string): FastifyReply {
  return reply.code(status).type('text/html').send(`<html><body><h1>${status} ${reason}</h1></body></html>`);
}

function leaveUnanswered(reply: FastifyReply): undefined {
  reply.hijack();
}
