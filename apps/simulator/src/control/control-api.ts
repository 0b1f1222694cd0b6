import type { FastifyInstance, FastifyRequest } from 'fastify';
import { valueFor } from '../callbacks/callback-body';
import { verifyReceiver } from '../callbacks/verify';
import { isObject, type JsonObject } from '../json';
import { MAGIC_NUMBERS } from '../messages/magic-numbers';
import type { PricingSettings } from '../messages/pricing';
import { WABA_ID } from '../numbers/business-store';
import { resetWorld, type World } from '../world';
import { tellContacts, tellHistory, writeFromApp } from './business-app';
import { registerAppControl } from './control-app';
import { guardControl } from './control-access';
import { ControlError, objectOf, textOf } from './control-error';
import { registerMediaControl } from './control-media';
import { registerNumberControl } from './control-numbers';
import { registerReceiverControl } from './control-receiver';
import { registerTemplateControl } from './control-templates';
import { listConversations, readConversation } from './conversations';
import { callIn, changePreference, describePerson, listPeople, writeIn } from './inbound';
import { press } from './press';

const DEFAULT_LIMIT = 100;
const MAX_LIMIT = 50_000;
/** Maximum body size in bytes. Inbound files are base64-encoded. */
const INBOUND_BODY_LIMIT = 24 * 1024 * 1024;

/** Fields of a single number. All others concern the whole business account. */
const OF_NUMBER = /^(messages|user_preferences|calls|history|smb_)/;

/** Registers `/_control/…`, the API through which tests, benchmarks, the demo and the page control the simulator. */
export function registerControlApi(app: FastifyInstance, world: World): void {
  guardControl(app, world.settings.controlAccess);
  app.setErrorHandler((error, _request, reply) => {
    const status = error instanceof Error && 'statusCode' in error ? Number(error.statusCode) : 500;
    return reply.code(status).send({ error: error instanceof Error ? error.message : 'failed' });
  });
  // Accept any body, because calls without one may still declare JSON.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, body, done) =>
    done(...parse(String(body))),
  );
  registerReads(app, world);
  registerTemplateControl(app, world);
  registerNumberControl(app, world);
  registerAppControl(app, world);
  registerCustomers(app, world);
  registerMediaControl(app, world);
  registerReceiverControl(app, world);
  registerSwitches(app, world);
}

function registerReads(app: FastifyInstance, world: World): void {
  app.get<{ Querystring: Record<string, string | undefined> }>('/messages', async ({ query }) => {
    const { to, opaque, clientRef } = query;
    return { messages: world.messages.list({ to, opaque, clientRef, limit: readLimit(query.limit) }) };
  });
  app.get<{ Querystring: Record<string, string | undefined> }>('/inbound', async ({ query }) => ({
    messages: world.inbound.list({ from: query.from, limit: readLimit(query.limit) }),
  }));
  app.get('/conversations', async () => ({ conversations: listConversations(world) }));
  app.get<{ Params: { customer: string } }>('/conversations/:customer', async ({ params }) =>
    readConversation(world, params.customer),
  );
  app.get('/summary', async () => ({
    ...world.messages.summary(),
    callbacks: { ...world.sender.counts(), lost: world.callbacks.lostCount() },
  }));
  app.get('/faults', async () => world.faults.current);
  app.get('/limits', async () => ({ ...world.limits.enforced, portfolio: world.portfolios.enforced }));
  app.get('/pricing', async () => world.pricing.current);
  app.get('/magic', async () => ({ numbers: MAGIC_NUMBERS.map(({ waId, does }) => ({ phone: waId, does })) }));
  app.get('/templates', async () => ({ templates: world.templates.all() }));
  app.get('/numbers', async () => ({ numbers: world.numbers.all() }));
  app.get('/links', async () => ({ reference: world.settings.referenceUrl }));
}

function registerCustomers(app: FastifyInstance, world: World): void {
  const originOf = ({ protocol, host }: FastifyRequest): string => world.settings.baseUrl ?? `${protocol}://${host}`;
  app.post('/inbound', { bodyLimit: INBOUND_BODY_LIMIT }, async (request) =>
    writeIn(world, objectOf(request.body), originOf(request)),
  );
  app.get('/people', async () => ({ people: listPeople(world) }));
  app.post('/people', async ({ body }) => describePerson(world, objectOf(body)));
  app.post('/press', async ({ body }) => press(world, objectOf(body)));
  app.post('/calls', async ({ body }) => callIn(world, objectOf(body)));
  app.post('/echoes', { bodyLimit: INBOUND_BODY_LIMIT }, async (request) =>
    writeFromApp(world, objectOf(request.body), originOf(request)),
  );
  app.post('/history', { bodyLimit: INBOUND_BODY_LIMIT }, async ({ body }) => tellHistory(world, objectOf(body)));
  app.post('/app-contacts', { bodyLimit: INBOUND_BODY_LIMIT }, async ({ body }) => tellContacts(world, objectOf(body)));
  app.post('/preferences', async ({ body }) => changePreference(world, objectOf(body)));
  app.post('/account', async ({ body }) => {
    const { event, ...details } = objectOf(body);
    if (!textOf(event)) throw new ControlError('event: the name of an account event is required');
    emitAccountChange(world, 'account_update', { event, ...details });
    return { event };
  });
  app.post('/callbacks', async ({ body }) => emitAny(world, objectOf(body)));
  app.post<{ Params: { id: string } }>('/media/:id/expire', async ({ params }) => {
    if (!(await world.media.delete(params.id))) throw new ControlError('no such media', 404);
    return { expired: params.id };
  });
}

function registerSwitches(app: FastifyInstance, world: World): void {
  app.post('/faults', async ({ body }) => {
    const problems = world.faults.replace(body);
    if (problems.length > 0) throw new ControlError(problems.join('; '));
    return world.faults.current;
  });
  app.post('/limits', async ({ body }) => {
    const { pair = false, throughput = false, portfolio = false } = objectOf(body);
    if (typeof pair !== 'boolean' || typeof throughput !== 'boolean' || typeof portfolio !== 'boolean')
      throw new ControlError('pair, throughput, portfolio: true or false');
    world.limits.enforced = { pair, throughput };
    world.portfolios.enforced = portfolio;
    return { pair, throughput, portfolio };
  });
  app.post('/pricing', async ({ body }) => (world.pricing.current = readPricing(world, objectOf(body))));
  app.post('/verify', async () => verifyReceiver(world.settings));
  app.post('/reset', async () => {
    await resetWorld(world);
    return { reset: true };
  });
}

/** Emits any value in any field, including fields that the platform may add later. */
function emitAny(world: World, { field, value, time, wabaId = WABA_ID, phoneNumber }: JsonObject): object {
  if (!textOf(field) || !isObject(value)) throw new ControlError('field: a name, and value: an object, are required');
  if (!world.businesses.byId(String(wabaId))) throw new ControlError('wabaId: no such business account', 404);
  const number = phoneNumber === undefined ? world.numbers.all()[0] : world.numbers.find(String(phoneNumber));
  if (!number) throw new ControlError('phoneNumber: no such business number', 404);
  if (!OF_NUMBER.test(String(field))) emitAccountChange(world, String(field), value, { time, wabaId: String(wabaId) });
  else
    world.callbacks.emit({
      kind: 'change',
      wabaId: number.wabaId,
      field: String(field),
      value: { ...valueFor(number), ...value },
    });
  return { field };
}

/** Reads the fields of a pricing change; omitted fields keep the settings with which the simulator started. */
function readPricing({ settings }: World, body: JsonObject): PricingSettings {
  const { date = settings.pricing.date, freeServiceMessages = settings.pricing.freeServiceMessages } = body;
  const at = date === null ? null : new Date(date instanceof Date ? date : String(date));
  if (at && Number.isNaN(at.getTime())) throw new ControlError('date: a date is required');
  if (typeof freeServiceMessages !== 'number' || !Number.isInteger(freeServiceMessages) || freeServiceMessages < 0)
    throw new ControlError('freeServiceMessages: a whole number is required');
  return { date: at, freeServiceMessages };
}

function emitAccountChange(
  world: World,
  field: string,
  value: object,
  { time = Math.floor(Date.now() / 1_000), wabaId = WABA_ID }: { time?: unknown; wabaId?: string } = {},
): void {
  world.callbacks.emit({ kind: 'change', wabaId, time: Number(time), field, value });
}

function parse(text: string): [Error | null, unknown?] {
  try {
    return [null, text === '' ? {} : JSON.parse(text)];
  } catch {
    return [new ControlError('the body is not JSON')];
  }
}

function readLimit(text: string | undefined): number {
  const limit = Number(text ?? DEFAULT_LIMIT);
  if (!Number.isInteger(limit) || limit < 1) throw new ControlError('limit: a positive whole number is required');
  return Math.min(limit, MAX_LIMIT);
}
