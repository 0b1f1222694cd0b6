import { applyDecorators } from '@nestjs/common';
import { ApiCookieAuth } from '@nestjs/swagger';
import type { Role } from '../caller/roles';
import { extendRouteConfig } from '../http/route-config';

/** Serves a route to people who are signed in and have at least this role, instead of to API keys. */
export function ConsoleRoute(role: Role): MethodDecorator {
  return applyDecorators(extendRouteConfig({ consoleRole: role }), ApiCookieAuth('session'));
}
