import { createHash, timingSafeEqual } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { GraphError, invalidParameter, refusal, unknownObject } from './graph-error';
import { isObject, pickFields } from './json';
import { acceptMessage, markRead } from './messages/accept-message';
import { type BusinessNumber, DEFAULT_NUMBER_FIELDS } from './numbers/number-store';
import type { TemplateQuery } from './templates/template-store';
import type { World } from './world';

const DEFAULT_TEMPLATE_FIELDS = 'name,parameter_format,components,language,status,category,id';

interface Call {
  Params: { version: string; id: string };
  Querystring: TemplateQuery & { fields?: string };
}

/** The Cloud API under `/v24.0/…`: bearer token first, then the injected faults, then the call itself. */
export function registerGraphApi(app: FastifyInstance, world: World): void {
  const isAuthorized = tokenCheck(world.settings.accessToken);
  app.addHook('onRequest', async (request, reply) => {
    reply.headers({ 'facebook-api-version': (request.params as Call['Params']).version });
    isAuthorized(request.headers.authorization);
  });
  app.addHook('preHandler', (_request, reply) => suffer(world, reply));
  app.setErrorHandler((error, request, reply) => answerError(error, request, reply, world));

  app.post<Call>('/:id/messages', (request, reply) => postMessage(world, request, reply));
  app.get<Call>('/:id/message_templates', (request) => listTemplates(world, request));
  app.get<Call>('/:id/phone_numbers', (request) => listNumbers(world, request));
  app.get<Call>('/:id', (request) => readObject(world, request));
}

function tokenCheck(accessToken: string): (header: string | undefined) => void {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  const wanted = digest(`Bearer ${accessToken}`);
  return (header) => {
    if (!header?.startsWith('Bearer ')) throw new GraphError(0, 'AuthException: an access token is required');
    if (!timingSafeEqual(digest(header), wanted)) throw new GraphError(190, 'Invalid OAuth access token - Cannot parse access token');
  };
}

/** The injected faults that every call may meet before anything is done. */
async function suffer({ faults }: World, reply: FastifyReply): Promise<void> {
  const { hang, latencyMs, errorRate, errorCode } = faults.current;
  if (faults.happens(hang)) {
    reply.hijack();
    return;
  }
  if (latencyMs > 0) await wait(latencyMs, undefined, { ref: false });
  if (faults.happens(errorRate)) throw refusal(errorCode);
}

async function postMessage(world: World, request: FastifyRequest<Call>, reply: FastifyReply): Promise<object> {
  const { id } = request.params;
  const number = world.numbers.byId(id);
  if (!number) throw unknownObject(id, request.method);
  const { body } = request;
  if (!isObject(body)) throw invalidParameter('The body must be a JSON object.');
  if (body.status !== undefined) return markRead(body);
  const answer = acceptMessage(world, number, body);
  if (world.faults.happens(world.faults.current.dropAfterAccept)) {
    reply.hijack();
    request.raw.socket.destroy();
  }
  return answer;
}

async function listTemplates({ numbers, templates }: World, request: FastifyRequest<Call>): Promise<object> {
  if (!isWaba(numbers.all(), request.params.id)) throw unknownObject(request.params.id, request.method);
  const { fields = DEFAULT_TEMPLATE_FIELDS, ...query } = request.query;
  const page = templates.page(query);
  if (page.templates.length === 0) return { data: [] };
  return {
    data: page.templates.map((template) => pickFields(template, fields)),
    paging: { cursors: { before: page.before, after: page.after }, ...(page.hasNext && { next: nextUrl(request, page.after) }) },
  };
}

async function listNumbers({ numbers }: World, request: FastifyRequest<Call>): Promise<object> {
  if (!isWaba(numbers.all(), request.params.id)) throw unknownObject(request.params.id, request.method);
  const { fields = DEFAULT_NUMBER_FIELDS } = request.query;
  const data = numbers.all().map(({ graph }) => pickFields(graph, fields));
  const cursor = Buffer.from('QVF:numbers').toString('base64url');
  return { data, paging: { cursors: { before: cursor, after: cursor } } };
}

/** A number, a template or the account itself: the Graph has one address for all objects. */
async function readObject({ numbers, templates }: World, request: FastifyRequest<Call>): Promise<object> {
  const { params, query, method } = request;
  const number = numbers.byId(params.id);
  if (number) return pickFields(number.graph, query.fields ?? DEFAULT_NUMBER_FIELDS);
  const template = templates.byId(params.id);
  if (template) return pickFields(template, query.fields ?? DEFAULT_TEMPLATE_FIELDS);
  if (isWaba(numbers.all(), params.id)) return pickFields({ id: params.id, name: 'Switchboard Demo' }, query.fields);
  throw unknownObject(params.id, method);
}

const isWaba = (numbers: readonly BusinessNumber[], id: string): boolean => numbers.some(({ wabaId }) => wabaId === id);

function nextUrl(request: FastifyRequest<Call>, after: string | undefined): string {
  const url = new URL(request.url, `${request.protocol}://${request.host}`);
  url.searchParams.delete('before');
  if (after) url.searchParams.set('after', after);
  return url.href;
}

function answerError(error: unknown, request: FastifyRequest, reply: FastifyReply, { logger }: World): FastifyReply {
  const graphError = toGraphError(error);
  if (graphError.code === 1) logger.error({ err: error, method: request.method, route: request.routeOptions.url }, 'request.failed');
  const message = graphError.message.replaceAll('"', "'").replace(/[^\x20-\x7e]/g, '?');
  return reply
    .code(graphError.httpStatus)
    .header('www-authenticate', `OAuth "Facebook Platform" "invalid_request" "${message}"`)
    .send(graphError.toBody());
}

/** Errors of the web framework (body not JSON, too large) are invalid parameters; the rest is our own fault. */
function toGraphError(error: unknown): GraphError {
  if (error instanceof GraphError) return error;
  const status = error instanceof Error && 'statusCode' in error ? Number(error.statusCode) : 500;
  return status < 500 ? invalidParameter((error as Error).message) : new GraphError(1, 'An unknown error occurred');
}
