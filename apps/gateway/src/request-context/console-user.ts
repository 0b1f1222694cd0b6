import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { Role } from './roles';

/** Signed-in user with the session. */
export interface ConsoleUser {
  userId: string;
  email: string;
  name: string;
  role: Role;
  account: { id: string; name: string; timeZone: string | null };
  /** True if the account is suspended. The session then only allows signing out. */
  isSuspended: boolean;
  sessionId: string;
  expiresAt: Date;
  /** CSRF token, which requests of this session must send with changes. */
  csrfToken: string;
}

/** Author of a change, for the audit log: an account and its user. */
export interface ChangeBy {
  accountId: string;
  actor: string;
}

/**
 * Caller of a service: an API client, whose changes are not in the audit log, or a user or operator, whose changes are.
 */
export type Caller = Pick<ChangeBy, 'accountId'> & Partial<ChangeBy>;

/** Returns the user of a console route. */
export const SignedIn = createParamDecorator((_: unknown, context: ExecutionContext): ConsoleUser => {
  const { consoleUser } = context.switchToHttp().getRequest<FastifyRequest>();
  if (!consoleUser) throw new Error('the route is none of the console: nobody is signed in');
  return consoleUser;
});

export function changeBy({ account, userId }: ConsoleUser): ChangeBy {
  return { accountId: account.id, actor: `user:${userId}` };
}
