import type { FastifyContextConfig } from 'fastify';
import { extendRouteConfig } from '../http/route-config';

type PublicOptions = Pick<
  FastifyContextConfig,
  'rawBody' | 'bodyLimitBytes' | 'perAddress' | 'requireHead' | 'isSignIn'
>;

/**
 * Serves a route without an API key. Every other route needs one.
 * @param because why nobody is harmed by it; a test prints and checks the list
 * @param options.perAddress how many requests are admitted from one address, for what costs us more than the asking
 * @param options.requireHead judges the head of a request before its body is read; throws the refusal
 * @param options.isSignIn counts an attempt of the address before the body is read
 * @param options.rawBody hands the body over as the bytes that came, up to `bodyLimitBytes`
 */
export function PublicRoute(because: string, options: PublicOptions = {}): MethodDecorator {
  return extendRouteConfig({ publicBecause: because, ...options });
}
