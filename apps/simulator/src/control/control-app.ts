import type { FastifyInstance } from 'fastify';
import { SCOPES, type Scope, WEBHOOK_FIELDS } from '../tokens/simulated-app';
import type { World } from '../world';
import { ControlError, objectOf, oneOf, textOf } from './control-error';

const MAX_TOKEN = 200;

/**
 * Registers control of the app's settings: additional tokens with fewer permissions, subscribed fields, and whether
 * calls need an app secret proof.
 */
export function registerAppControl(app: FastifyInstance, world: World): void {
  app.post('/tokens', async ({ body }) => giveToken(world, objectOf(body)));
  app.get('/app', async () => shownApp(world));
  app.post('/app', async ({ body }) => changeApp(world, objectOf(body)));
}

function shownApp({ app, appSecret }: World): object {
  return { ...app.shown(), fields: app.subscribedFields, requireAppSecret: appSecret.isRequired };
}

function changeApp(world: World, { fields, requireAppSecret }: Record<string, unknown>): object {
  if (fields === undefined && requireAppSecret === undefined)
    throw new ControlError('fields or requireAppSecret is required');
  if (requireAppSecret !== undefined && typeof requireAppSecret !== 'boolean')
    throw new ControlError('requireAppSecret: true or false');
  const subscribed =
    fields === undefined ? undefined : listOf('fields', fields).map((field) => oneOf('fields', WEBHOOK_FIELDS, field));
  if (subscribed) world.app.subscribe(subscribed);
  if (requireAppSecret !== undefined) world.appSecret.isRequired = requireAppSecret;
  return shownApp(world);
}

function giveToken(world: World, body: Record<string, unknown>): object {
  const { token, scopes = SCOPES, expiresAt = 0, revoked = false, businesses } = body;
  if (!textOf(token) || String(token).length > MAX_TOKEN)
    throw new ControlError(`token: 1 to ${MAX_TOKEN} characters are required`);
  if (!Number.isInteger(expiresAt)) throw new ControlError('expiresAt: Unix seconds are required, or 0 for never');
  if (typeof revoked !== 'boolean') throw new ControlError('revoked: true or false');
  const given = {
    scopes: listOf('scopes', scopes).map((scope): Scope => oneOf('scopes', SCOPES, scope)),
    expiresAt: Number(expiresAt),
    isRevoked: revoked,
    ...(businesses !== undefined && { businesses: listOf('businesses', businesses).map(String) }),
  };
  if (!world.app.give(String(token), given)) throw new ControlError('there are too many tokens', 409);
  return given;
}

function listOf(field: string, given: unknown): unknown[] {
  if (!Array.isArray(given)) throw new ControlError(`${field}: a list is required`);
  return given;
}
