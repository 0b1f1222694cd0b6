import type { FastifyInstance } from 'fastify';
import { verifyReceiver } from '../callbacks/verify';
import { isObject, type JsonObject } from '../json';
import { QUALITY_RATINGS } from '../numbers/number-store';
import { STATUS_AFTER_EVENT, type TemplateEvent } from '../templates/template-store';
import { resetWorld, type World } from '../world';
import { inboundUpdate, toInbound } from './inbound';

const DEFAULT_LIMIT = 100;
const MAX_LIMIT = 50_000;

/** A wrong call of the control API. */
class ControlError extends Error {
  constructor(
    message: string,
    readonly statusCode = 400,
  ) {
    super(message);
  }
}

/** `/_control/…`: what tests, benchmarks, the demo and the page steer the simulator with. No authentication. */
export function registerControlApi(app: FastifyInstance, world: World): void {
  app.setErrorHandler((error, _request, reply) => {
    const status = error instanceof Error && 'statusCode' in error ? Number(error.statusCode) : 500;
    return reply.code(status).send({ error: error instanceof Error ? error.message : 'failed' });
  });
  // Calls without a body are fine even when they announce JSON.
  app.removeContentTypeParser('application/json');
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, body, done) => done(...parse(String(body))));
  registerReads(app, world);
  app.post('/inbound', async ({ body }) => writeIn(world, objectOf(body)));
  app.post('/faults', async ({ body }) => {
    const problems = world.faults.replace(body);
    if (problems.length > 0) throw new ControlError(problems.join('; '));
    return world.faults.current;
  });
  app.post<{ Params: { name: string } }>('/templates/:name/status', async ({ params, body }) =>
    changeTemplate(world, params.name, objectOf(body)),
  );
  app.post<{ Params: { phoneNumber: string } }>('/numbers/:phoneNumber/quality', async ({ params, body }) =>
    changeQuality(world, params.phoneNumber, objectOf(body)),
  );
  app.post('/verify', async () => verifyReceiver(world.settings));
  app.post('/reset', async () => {
    resetWorld(world);
    return { reset: true };
  });
}

function registerReads(app: FastifyInstance, world: World): void {
  app.get<{ Querystring: Record<string, string | undefined> }>('/messages', async ({ query }) => {
    const { to, opaque, clientRef } = query;
    return { messages: world.messages.list({ to, opaque, clientRef, limit: readLimit(query.limit) }) };
  });
  app.get('/summary', async () => ({
    ...world.messages.summary(),
    callbacks: { ...world.sender.counts(), lost: world.callbacks.lostCount() },
  }));
  app.get('/faults', async () => world.faults.current);
  app.get('/templates', async () => ({ templates: world.templates.all() }));
  app.get('/numbers', async () => ({ numbers: world.numbers.all() }));
}

function parse(text: string): [Error | null, unknown?] {
  try {
    return [null, text === '' ? {} : JSON.parse(text)];
  } catch {
    return [new ControlError('the body is not JSON')];
  }
}

function objectOf(body: unknown): JsonObject {
  if (body === undefined || body === null) return {};
  if (!isObject(body)) throw new ControlError('the body must be a JSON object');
  return body;
}

function readLimit(text: string | undefined): number {
  const limit = Number(text ?? DEFAULT_LIMIT);
  if (!Number.isInteger(limit) || limit < 1) throw new ControlError('limit: a positive whole number is required');
  return Math.min(limit, MAX_LIMIT);
}

/** A customer writes to one of our numbers (`to`: its id or digits; the first number by default). */
function writeIn(world: World, body: JsonObject): { messageId: string } {
  const number = world.numbers.find(body.to === undefined ? undefined : String(body.to));
  if (!number) throw new ControlError('to: no such business number', 404);
  const inbound = toInbound(body);
  if (typeof inbound === 'string') throw new ControlError(inbound);
  world.windows.open(number.id, inbound.waId, { name: inbound.name, lastInboundMs: Date.now() });
  world.callbacks.emit(inboundUpdate(number, inbound));
  return { messageId: inbound.message.id };
}

const isEvent = (event: unknown): event is TemplateEvent => typeof event === 'string' && Object.hasOwn(STATUS_AFTER_EVENT, event);

/** Changes a template and announces it as the platform does. */
function changeTemplate(world: World, name: string, { language, event, reason }: JsonObject): object {
  const template = world.templates.find(name, typeof language === 'string' ? language : undefined);
  if (!template) throw new ControlError('no such template', 404);
  if (!isEvent(event)) throw new ControlError(`event: one of ${Object.keys(STATUS_AFTER_EVENT).join(', ')} is required`);
  const why = typeof reason === 'string' ? reason : 'NONE';
  world.templates.apply(template, event, why);
  const value = {
    event,
    message_template_id: Number(template.id),
    message_template_name: template.name,
    message_template_language: template.language,
    reason: why,
    message_template_category: template.category,
  };
  const time = Math.floor(Date.now() / 1_000);
  world.callbacks.emit({ kind: 'change', wabaId: world.numbers.all()[0]!.wabaId, time, field: 'message_template_status_update', value });
  return { name, language: template.language, status: STATUS_AFTER_EVENT[event] ?? 'DELETED' };
}

function changeQuality(world: World, phoneNumber: string, { rating }: JsonObject): object {
  const number = world.numbers.find(phoneNumber);
  if (!number) throw new ControlError('no such business number', 404);
  const known = QUALITY_RATINGS.find((candidate) => candidate === rating);
  if (!known) throw new ControlError(`rating: one of ${QUALITY_RATINGS.join(', ')} is required`);
  world.numbers.setQuality(number, known);
  return { phoneNumber: number.displayDigits, rating: known };
}
