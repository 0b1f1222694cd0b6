import type { FastifyContextConfig } from 'fastify';
import { extendRouteConfig } from '../http/route-config';

type PublicOptions = Pick<
  FastifyContextConfig,
  'rawBody' | 'bodyLimitBytes' | 'perAddress' | 'requireHead' | 'isSignIn'
>;

/**
 * Serves a route without an API key or a session. `ApiKeyGuard` requires a key on every route without `@Public()` or
 * `@Roles()`.
 * @param because reason why the route is safe without a key; a test lists and checks these reasons
 * @param options.perAddress rate limit per address, for responses that cost more than the request
 * @param options.requireHead checks the request head before the body is read; throws the error that rejects the request
 * @param options.isSignIn counts the request as a sign-in attempt by its address before the body is read
 * @param options.rawBody passes the body as raw bytes, up to `bodyLimitBytes`
 */
export function Public(because: string, options: PublicOptions = {}): MethodDecorator {
  return extendRouteConfig({ publicBecause: because, ...options });
}
