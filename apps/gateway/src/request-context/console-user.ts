import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { Role } from './roles';

/** Who is signed in, and by which session. */
export interface ConsoleUser {
  userId: string;
  email: string;
  name: string;
  role: Role;
  account: { id: string; name: string };
  /** Then the session does nothing but end. */
  isSuspended: boolean;
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

/** An API client, which leaves no entry in the audit log, or a user or operator, who does. */
export type Caller = Pick<ChangeBy, 'accountId'> & Partial<ChangeBy>;

/** The user of a console route. */
export const SignedIn = createParamDecorator((_: unknown, context: ExecutionContext): ConsoleUser => {
  const { consoleUser } = context.switchToHttp().getRequest<FastifyRequest>();
  if (!consoleUser) throw new Error('the route is none of the console: nobody is signed in');
  return consoleUser;
});

export function changeBy({ account, userId }: ConsoleUser): ChangeBy {
  return { accountId: account.id, actor: `user:${userId}` };
}
