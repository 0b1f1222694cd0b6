import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { AppError } from '@switchboard/contracts';
import type { FastifyRequest } from 'fastify';
import { isAllowed, type Role } from '../request-context/roles';
import { routeConfigOf } from '../http/route-config';

/**
 * Rejects signed-in users whose role is below that required by `@Roles()`. `AccessService` calls `requireRole` before
 * the body is read (ADR 65); `canActivate` repeats the cheap check.
 */
@Injectable()
export class RolesGuard implements CanActivate {
  constructor(private readonly reflector: Reflector) {}

  canActivate(context: ExecutionContext): boolean {
    const { consoleRole, exceptRole } = routeConfigOf(this.reflector, context);
    const { consoleUser } = context.switchToHttp().getRequest<FastifyRequest>();
    if (consoleRole) requireRole(consoleUser?.role, consoleRole, exceptRole);
    return true;
  }
}

/** @throws AppError ROLE_NOT_ALLOWED */
export function requireRole(role: Role | undefined, needed: Role, except?: Role): void {
  if (role === undefined || !isAllowed(role, needed))
    throw new AppError('ROLE_NOT_ALLOWED', { message: `your role does not allow this: it needs ${needed}` });
  if (role === except)
    throw new AppError('ROLE_NOT_ALLOWED', {
      message: `your role does not allow this: not available for the role ${except}`,
    });
}
