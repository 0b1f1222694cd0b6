import type { FastifyContextConfig } from 'fastify';
import { extendRouteConfig } from '../http/route-config';

type PublicOptions = Pick<
  FastifyContextConfig,
  'rawBody' | 'bodyLimitBytes' | 'perAddress' | 'requireHead' | 'isSignIn'
>;

/**
 * Serves a route without an API key or a session. `ApiKeyGuard` requires a key on every route without `@Public()` or
 * `@Roles()`.
 * @param because why the route is safe without a key; a test prints and checks the list
 * @param options.perAddress requests admitted from one address, for responses that cost more than the request
 * @param options.requireHead checks the head of a request before its body is read; throws the rejection
 * @param options.isSignIn counts a sign-in attempt of the address before the body is read
 * @param options.rawBody passes the body as raw bytes, up to `bodyLimitBytes`
 */
export function Public(because: string, options: PublicOptions = {}): MethodDecorator {
  return extendRouteConfig({ publicBecause: because, ...options });
}
