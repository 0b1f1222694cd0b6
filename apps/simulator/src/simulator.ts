import type { Logger } from '@switchboard/platform';
import { DEFAULT_VERSION } from '@switchboard/upstream';
import Fastify, { type FastifyInstance } from 'fastify';
import type { SimulatorSettings } from './config';
import { registerControlApi } from './control/control-api';
import { registerAttachments, registerGraphApi } from './graph-api';
import { unknownPath } from './graph-error';
import { ATTACHMENTS_PATH } from './media/media-routes';
import { registerPage } from './page/page';
import { RECEIVER_PATH, registerReceiver } from './receiver/receiver-routes';
import { registerSamples, SAMPLES_PATH } from './uploads/upload-routes';
import { createWorld, endWorld } from './world';

const BODY_LIMIT = 1024 * 1024;
const KEEP_ALIVE_MS = 72_000;
const WITHOUT_VERSION = /^\/\d{5,20}([/?]|$)/;

/** Builds a simulator that does not listen yet. Closing it immediately ends its background work. */
export function createSimulator(settings: SimulatorSettings, logger: Logger): FastifyInstance {
  const world = createWorld(settings, logger);
  const app = Fastify({
    bodyLimit: BODY_LIMIT,
    keepAliveTimeout: KEEP_ALIVE_MS,
    forceCloseConnections: true,
    // The platform uses the app's default version for a call that specifies none.
    rewriteUrl: ({ url = '/' }) => (WITHOUT_VERSION.test(url) ? `/${DEFAULT_VERSION}${url}` : url),
    routerOptions: { maxParamLength: 600 },
  });
  app.addHook('onClose', () => endWorld(world));
  for (const path of ['/live', '/ready']) app.get(path, async () => ({ status: path.slice(1) }));
  registerPage(app);
  app.register(async (scope) => registerControlApi(scope, world), { prefix: '/_control' });
  app.register(async (scope) => registerReceiver(scope, world), { prefix: RECEIVER_PATH });
  app.register(async (scope) => registerAttachments(scope, world), { prefix: ATTACHMENTS_PATH });
  app.register(async (scope) => registerSamples(scope, world), { prefix: SAMPLES_PATH });
  app.register(async (scope) => registerGraphApi(scope, world), { prefix: '/:version(^v[0-9]+\\.[0-9]+$)' });
  app.setNotFoundHandler((request, reply) => reply.code(400).send(unknownPath(request.url).toBody()));
  return app;
}
