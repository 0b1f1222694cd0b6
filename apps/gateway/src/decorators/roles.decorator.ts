import { applyDecorators } from '@nestjs/common';
import { ApiCookieAuth } from '@nestjs/swagger';
import type { Role } from '../request-context/roles';
import { extendRouteConfig } from '../http/route-config';

/**
 * Serves a console route to signed-in users with at least this role, instead of API keys. `SessionGuard` and
 * `RolesGuard` read the metadata.
 * @param options.evenSuspended whether to serve users of a suspended account too
 */
export function Roles(role: Role, { evenSuspended = false } = {}): MethodDecorator {
  return applyDecorators(extendRouteConfig({ consoleRole: role, evenSuspended }), ApiCookieAuth('session'));
}
