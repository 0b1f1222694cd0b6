import { extendRouteConfig } from '../http/route-config';
import type { Rate } from './gcra';

/**
 * Serves a route without an API key. Every other route needs one.
 * @param because why nobody is harmed by it; a test prints and checks the list
 * @param options.perAddress how many requests are admitted from one address, for what costs us more than the asking
 * @param options.rawBody hands the body over as the bytes that came, up to `bodyLimitBytes`
 */
export function PublicRoute(because: string, options: { rawBody?: boolean; bodyLimitBytes?: number; perAddress?: Rate } = {}): MethodDecorator {
  return extendRouteConfig({ publicBecause: because, ...options });
}
