import { createHash, timingSafeEqual } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { GraphCall } from './graph-call';
import { registerBlockList } from './blocking/block-routes';
import { forcedRefusal, GraphError, invalidParameter, unknownObject } from './graph-error';
import { mediaObject, registerMediaDownload, registerMediaUpload } from './media/media-routes';
import { registerMessages } from './messages/message-routes';
import { editTemplate, registerTemplates, templateObject } from './templates/template-routes';
import { isUpload, registerUploads, takeBytes, uploadObject } from './uploads/upload-routes';
import type { World } from './world';
import { pickFields } from './json';
import { DEFAULT_NUMBER_FIELDS } from './numbers/number-store';

/** The Graph has one address for all objects: numbers, templates, media, the account. */
function registerObjects(app: FastifyInstance, world: World): void {
  app.get<GraphCall>('/:id', async (request) => readObject(world, request));
  app.post<GraphCall>('/:id', async (request, reply) => {
    if (isUpload(request.params.id)) return takeBytes(world, request, reply);
    const template = world.templates.byId(request.params.id);
    if (!template) throw unknownObject(request.params.id, request.method);
    return editTemplate(world, template, request);
  });
  app.delete<GraphCall>('/:id', async ({ params, method }) => {
    if (!world.media.find(params.id, Date.now())) throw unknownObject(params.id, method);
    return { success: await world.media.delete(params.id) };
  });
  app.get<GraphCall>('/:id/phone_numbers', async (request) => listNumbers(world, request));
}

function readObject(world: World, request: FastifyRequest<GraphCall>): object | Promise<object> {
  const { params, query, method } = request;
  if (isUpload(params.id)) return uploadObject(world, request);
  const number = world.numbers.byId(params.id);
  if (number) return pickFields(number.graph, query.fields ?? DEFAULT_NUMBER_FIELDS);
  const template = world.templates.byId(params.id);
  if (template) return templateObject(template, query.fields);
  const media = world.media.find(params.id, Date.now());
  if (media) return mediaObject(world, media, request);
  if (world.numbers.isAccount(params.id)) return pickFields({ id: params.id, name: 'Switchboard Demo' }, query.fields);
  throw unknownObject(params.id, method);
}

function listNumbers({ numbers }: World, { params, query, method }: FastifyRequest<GraphCall>): object {
  if (!numbers.isAccount(params.id)) throw unknownObject(params.id, method);
  const data = numbers.all().map(({ graph }) => pickFields(graph, query.fields ?? DEFAULT_NUMBER_FIELDS));
  const cursor = Buffer.from('QVF:numbers').toString('base64url');
  return { data, paging: { cursors: { before: cursor, after: cursor } } };
}

/** The Cloud API under `/v24.0/…`: bearer token first, then the injected faults, then the call itself. */
export function registerGraphApi(app: FastifyInstance, world: World): void {
  registerGuards(app, world);
  app.addHook('onRequest', async (request, reply) => {
    reply.header('facebook-api-version', (request.params as GraphCall['Params']).version);
    const { appsecret_proof: proof } = request.query as { appsecret_proof?: string };
    world.appSecret.check(tokenOf(request.headers.authorization) ?? '', proof);
  });
  takeEmptyBodies(app);
  registerMessages(app, world);
  registerTemplates(app, world);
  registerObjects(app, world);
  registerMediaUpload(app, world);
  registerUploads(app, world);
  registerBlockList(app, world);
}

/** Some clients announce JSON for a call that has no body; upstream does not mind. */
function takeEmptyBodies(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error');
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body === '') done(null, undefined);
    else void parse(request, String(body), done);
  });
}

/** The addresses that media objects and callbacks give for bytes. */
export function registerAttachments(app: FastifyInstance, world: World): void {
  registerGuards(app, world);
  registerMediaDownload(app, world);
}

function registerGuards(app: FastifyInstance, world: World): void {
  const isAuthorized = tokenCheck(world.settings.accessToken);
  let calls = 0;
  app.addHook('onRequest', async (request, reply) => {
    calls += 1;
    reply.headers({ 'x-fb-request-id': `A${calls.toString(36)}`, 'x-fb-rev': '1' });
    isAuthorized(request.headers.authorization);
  });
  app.addHook('preHandler', (request, reply) => suffer(world, request, reply));
  app.setErrorHandler((error, request, reply) => answerError(error, request, reply, world));
}

/** Resumable uploads are authorized by the older of the two words. */
function tokenOf(header: string | undefined): string | undefined {
  return /^(?:Bearer|OAuth) (.+)$/.exec(header ?? '')?.[1];
}

function tokenCheck(accessToken: string): (header: string | undefined) => void {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  const wanted = digest(accessToken);
  return (header) => {
    const token = tokenOf(header);
    if (token === undefined) throw new GraphError(0, 'AuthException: an access token is required');
    if (!timingSafeEqual(digest(token), wanted))
      throw new GraphError(190, 'Invalid OAuth access token - Cannot parse access token');
  };
}

/** The injected faults that a call may meet before anything is done. */
async function suffer({ faults }: World, { params }: FastifyRequest, reply: FastifyReply): Promise<void> {
  const { only, hang, latencyMs, errorRate, errorCode } = faults.current;
  if (only && (params as Partial<GraphCall['Params']>).id !== only) return;
  if (faults.happens(hang)) {
    reply.hijack();
    return;
  }
  if (latencyMs > 0) await wait(latencyMs, undefined, { ref: false });
  if (faults.happens(errorRate)) throw forcedRefusal(errorCode);
}

function answerError(error: unknown, request: FastifyRequest, reply: FastifyReply, { logger }: World): FastifyReply {
  const graphError = toGraphError(error);
  if (graphError.code === 1)
    logger.error({ err: error, method: request.method, route: request.routeOptions.url }, 'request.failed');
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
