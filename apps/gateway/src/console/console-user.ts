import { applyDecorators, createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { ApiCookieAuth } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { extendRouteConfig } from '../http/route-config';
import type { Role } from '../users/roles';

/** Who is signed in, and by which session. */
export interface ConsoleUser {
  userId: string;
  email: string;
  name: string;
  role: Role;
  account: { id: string; name: string };
  sessionId: string;
  expiresAt: Date;
  /** What changing requests of this session must show. */
  csrfToken: string;
}

/** On whose behalf something is changed: the account of the session, and its user for the audit log. */
export interface ChangeBy {
  accountId: string;
  actor: string;
}

/** Serves a route to people who are signed in and have at least this role, instead of to API keys. */
export function ConsoleRoute(role: Role): MethodDecorator {
  return applyDecorators(extendRouteConfig({ consoleRole: role }), ApiCookieAuth('session'));
}

/** The user of a console route. */
export const SignedIn = createParamDecorator((_: unknown, context: ExecutionContext): ConsoleUser => {
  const { consoleUser } = context.switchToHttp().getRequest<FastifyRequest>();
  if (!consoleUser) throw new Error('the route is none of the console: nobody is signed in');
  return consoleUser;
});

export function changeBy({ account, userId }: ConsoleUser): ChangeBy {
  return { accountId: account.id, actor: `user:${userId}` };
}
