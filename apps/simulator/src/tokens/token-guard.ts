import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import type { GraphCall } from '../graph-call';
import { GraphError, unknownObject } from '../graph-error';
import type { World } from '../world';
import { type AppToken, problemOf, type Scope } from './simulated-app';

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Matches calls about tokens and the app itself. */
const ABOUT_THE_APP = /\/(debug_token|[^/]+\/subscriptions)$/;
const MESSAGING = /\/[^/]+\/(messages|media)$/;

/** Returns the token of a call, from its header or `?access_token=`. */
export function presentedToken({ headers, query }: Pick<FastifyRequest, 'headers' | 'query'>): string | undefined {
  // Resumable uploads use the older scheme, OAuth.
  const [, token] = /^(?:Bearer|OAuth) (.+)$/.exec(headers.authorization ?? '') ?? [];
  const { access_token: inQuery } = (query ?? {}) as { access_token?: unknown };
  return token ?? (typeof inQuery === 'string' && inQuery !== '' ? inQuery : undefined);
}

/**
 * Checks that the token permits the call.
 * @throws GraphError 104 without a token, 190 with an invalid one, 200 without the permission, 100 for a business
 * account that is not assigned to it
 */
export function checkToken(world: World, request: FastifyRequest, nowMs: number): void {
  const text = presentedToken(request);
  if (text === undefined) throw new GraphError(104, 'An access token is required to request this resource.');
  const { app, settings } = world;
  // Compare with the default token in constant time, as a real platform would.
  if (timingSafeEqual(digest(text), digest(settings.accessToken))) return;
  const path = request.routeOptions.url ?? '';
  if (app.isAppToken(text) && ABOUT_THE_APP.test(path)) return;
  const token = app.tokenOf(text);
  if (!token) throw new GraphError(190, 'Invalid OAuth access token - Cannot parse access token');
  const problem = problemOf(token, nowMs);
  if (problem) throw new GraphError(190, problem.message, { subcode: problem.subcode });
  if (!ABOUT_THE_APP.test(path)) checkRights(world, token, { request, path });
}

function checkRights(
  world: World,
  { scopes, businesses }: AppToken,
  { request, path }: { request: FastifyRequest; path: string },
): void {
  const wanted: Scope = MESSAGING.test(path) ? 'whatsapp_business_messaging' : 'whatsapp_business_management';
  if (!scopes.includes(wanted)) throw new GraphError(200, `(#200) Requires ${wanted} permission to manage the object`);
  const { id } = request.params as Partial<GraphCall['Params']>;
  if (id === undefined || !businesses) return;
  const wabaId = world.numbers.byId(id)?.wabaId ?? world.businesses.byId(id)?.id;
  if (wabaId !== undefined && !businesses.includes(wabaId)) throw unknownObject(id, request.method);
}
