import { Inject, Injectable } from '@nestjs/common';
import { AppError } from '@switchboard/contracts';
import { CONFIG } from '@switchboard/platform';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { GatewayConfig } from '../config';
import { isAllowed, type Role } from '../users/roles';
import { isCsrfToken, tokenOf } from './session-cookie';
import { notSignedIn, SessionsService } from './sessions.service';

const SAFE_METHODS = ['GET', 'HEAD'];
/** What a browser says of where a request comes from, when it comes from a page of ours or was typed in. */
const OWN_SITES: unknown[] = [undefined, 'same-origin', 'none'];

/** Decides who may call the console's routes. */
@Injectable()
export class ConsoleAccess {
  constructor(
    @Inject(CONFIG) private readonly config: GatewayConfig,
    private readonly sessions: SessionsService,
  ) {}

  /** Sets the user on the request. @throws AppError UNAUTHORIZED, ROUTE_NOT_ALLOWED, CSRF_TOKEN_INVALID, ROLE_NOT_ALLOWED */
  async admit(request: FastifyRequest, reply: FastifyReply, needed: Role): Promise<void> {
    reply.header('cache-control', 'no-store');
    const token = tokenOf(request.headers.cookie, this.config);
    if (token === undefined) throw notSignedIn();
    const user = await this.sessions.requireUser(token);
    request.consoleUser = user;
    if (!SAFE_METHODS.includes(request.method)) {
      requireOwnSite(request);
      if (!isCsrfToken(request.headers['x-csrf-token'], token)) throw new AppError('CSRF_TOKEN_INVALID');
    }
    if (!isAllowed(user.role, needed)) throw new AppError('ROLE_NOT_ALLOWED', { message: `your role does not allow this: it needs ${needed}` });
  }
}

/** For signing in, which has no token yet: nobody is signed in by a page that is not ours. @throws AppError CSRF_TOKEN_INVALID */
export function requireOwnSite({ headers }: FastifyRequest): void {
  if (!OWN_SITES.includes(headers['sec-fetch-site'])) throw new AppError('CSRF_TOKEN_INVALID', { message: 'this request comes from another site' });
}
