import { applyDecorators } from '@nestjs/common';
import { ApiCookieAuth } from '@nestjs/swagger';
import type { Role } from '../request-context/roles';
import { extendRouteConfig } from '../http/route-config';

/**
 * Serves a console route to signed-in users with at least this role, rather than to API keys. Enforced by
 * `SessionGuard` and `RolesGuard`.
 * @param options.except role that may not use the route although it is high enough
 * @param options.evenSuspended true to also serve users of a suspended account
 */
export function Roles(
  role: Role,
  { except, evenSuspended = false }: { except?: Role; evenSuspended?: boolean } = {},
): MethodDecorator {
  const config = { consoleRole: role, evenSuspended, ...(except && { exceptRole: except }) };
  return applyDecorators(extendRouteConfig(config), ApiCookieAuth('session'));
}
