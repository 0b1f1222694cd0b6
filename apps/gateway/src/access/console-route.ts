import { applyDecorators } from '@nestjs/common';
import { ApiCookieAuth } from '@nestjs/swagger';
import type { Role } from '../caller/roles';
import { extendRouteConfig } from '../http/route-config';

/**
 * Serves a route to people who are signed in and have at least this role, instead of to API keys.
 * @param options.evenSuspended also while their account is suspended
 */
export function ConsoleRoute(role: Role, { evenSuspended = false } = {}): MethodDecorator {
  return applyDecorators(extendRouteConfig({ consoleRole: role, evenSuspended }), ApiCookieAuth('session'));
}
