import type { FastifyInstance } from 'fastify';
import type { GraphCall } from '../graph-call';
import { GraphError, invalidParameter, unknownObject } from '../graph-error';
import type { World } from '../world';
import { APP_ID, describeToken } from './simulated-app';
import { presentedToken } from './token-guard';

/** Registers `GET /debug_token`, and the app's subscriptions. */
export function registerTokens(app: FastifyInstance, world: World): void {
  app.get<GraphCall>('/debug_token', async ({ query }) => {
    if (!query.input_token) throw invalidParameter('The parameter input_token is required.');
    return describeToken(world.app, query.input_token, Date.now());
  });
  app.get<GraphCall>('/:id/subscriptions', async (request) => {
    const { params, method } = request;
    if (params.id !== APP_ID) throw unknownObject(params.id, method);
    if (!world.app.isAppToken(presentedToken(request) ?? ''))
      throw new GraphError(15, '(#15) This method must be called with an app access_token.');
    const fields = world.app.subscribedFields.map((name) => ({ name, version: params.version }));
    const subscription = { object: 'whatsapp_business_account', callback_url: world.settings.callbackUrl };
    return { data: [{ ...subscription, active: true, fields }] };
  });
}
