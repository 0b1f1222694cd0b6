import { setTimeout as wait } from 'node:timers/promises';
import { servedVersion } from '@switchboard/upstream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { GraphCall } from './graph-call';
import { registerBlockList } from './blocking/block-routes';
import { forcedRefusal, GraphError, invalidParameter, unknownObject, unknownPath } from './graph-error';
import { mediaObject, registerMediaDownload, registerMediaUpload } from './media/media-routes';
import { registerMessages } from './messages/message-routes';
import { editTemplate, registerTemplates, templateObject } from './templates/template-routes';
import { isUpload, registerUploads, takeBytes, uploadObject } from './uploads/upload-routes';
import type { World } from './world';
import { pickFields } from './json';
import { DEFAULT_BUSINESS_FIELDS } from './numbers/business-store';
import { numberObject, registerNumberSetup } from './numbers/number-routes';
import { checkToken, presentedToken } from './tokens/token-guard';
import { registerTokens } from './tokens/token-routes';

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
}

function readObject(world: World, request: FastifyRequest<GraphCall>): object | Promise<object> {
  const { params, query, method } = request;
  if (isUpload(params.id)) return uploadObject(world, request);
  const number = world.numbers.byId(params.id);
  if (number) return numberObject(world, number, query.fields);
  const template = world.templates.byId(params.id);
  if (template) return templateObject(template, query.fields);
  const media = world.media.find(params.id, Date.now());
  if (media) return mediaObject(world, media, request);
  const business = world.businesses.byId(params.id);
  if (business) return pickFields(business.graph, query.fields ?? DEFAULT_BUSINESS_FIELDS);
  throw unknownObject(params.id, method);
}

/**
 * Registers the Cloud API under `/v24.0/…`. Each call checks the version, the token and injected faults first, in this
 * order.
 */
export function registerGraphApi(app: FastifyInstance, world: World): void {
  takeEmptyJson(app);
  registerGuards(app, world);
  app.addHook('onRequest', async (request, reply) => {
    const { version } = request.params as GraphCall['Params'];
    // Calls of an ended version are served by the oldest usable one, which the response names.
    reply.header('facebook-api-version', servedVersion(version, new Date()));
    const { appsecret_proof: proof } = request.query as { appsecret_proof?: string };
    world.appSecret.check(presentedToken(request) ?? '', proof);
  });
  registerMessages(app, world);
  registerTemplates(app, world);
  registerNumberSetup(app, world);
  registerTokens(app, world);
  registerObjects(app, world);
  registerMediaUpload(app, world);
  registerUploads(app, world);
  registerBlockList(app, world);
}

/** Registers the file URLs that media objects and callbacks contain. */
export function registerAttachments(app: FastifyInstance, world: World): void {
  registerGuards(app, world);
  registerMediaDownload(app, world);
}

function registerGuards(app: FastifyInstance, world: World): void {
  let calls = 0;
  app.addHook('onRequest', async (request, reply) => {
    calls += 1;
    reply.headers({ 'x-fb-request-id': `A${calls.toString(36)}`, 'x-fb-rev': '1' });
    refuseUnknownVersion(request);
    checkToken(world, request, Date.now());
  });
  app.addHook('preHandler', (request, reply) => suffer(world, request, reply));
  app.setErrorHandler((error, request, reply) => answerError(error, request, reply, world));
}

/** Treats a version that the platform has not published as part of an unknown path. */
function refuseUnknownVersion({ params, url }: FastifyRequest): void {
  const { version } = params as Partial<GraphCall['Params']>;
  if (version === undefined || servedVersion(version, new Date()) !== undefined) return;
  throw unknownPath(url.replace(`/${version}`, ''));
}

/** Accepts a JSON content type without a body, because many clients send it, especially with DELETE. */
function takeEmptyJson(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error');
  app.removeContentTypeParser('application/json');
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body: string, done) =>
    body === '' ? done(null, undefined) : parse(request, body, done),
  );
}

/** Applies injected faults before the call has any effect. */
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

/**
 * Maps framework errors (invalid JSON, body too large) to an invalid parameter, and everything else to an internal
 * error.
 */
function toGraphError(error: unknown): GraphError {
  if (error instanceof GraphError) return error;
  const status = error instanceof Error && 'statusCode' in error ? Number(error.statusCode) : 500;
  return status < 500 ? invalidParameter((error as Error).message) : new GraphError(1, 'An unknown error occurred');
}
