import { applyDecorators } from '@nestjs/common';
import { ApiCookieAuth } from '@nestjs/swagger';
import type { Role } from '../request-context/roles';
import { extendRouteConfig } from '../http/route-config';

/**
 * Serves a route of the console: to signed-in users with at least this role, instead of API keys. `SessionGuard` and
 * `RolesGuard` read it.
 * @param options.evenSuspended also while their account is suspended
 */
export function Roles(role: Role, { evenSuspended = false } = {}): MethodDecorator {
  return applyDecorators(extendRouteConfig({ consoleRole: role, evenSuspended }), ApiCookieAuth('session'));
}
