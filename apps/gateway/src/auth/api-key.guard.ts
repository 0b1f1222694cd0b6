import { type CanActivate, type ExecutionContext, Inject, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { AppError, ERRORS } from '@switchboard/contracts';
import { CONFIG } from '@switchboard/platform';
import type { FastifyRequest } from 'fastify';
import { isRouteAllowed } from '../api-keys/route-rules';
import type { ApiClient } from '../request-context/client';
import type { GatewayConfig } from '../config';
import { addressOf, isAddressAllowed } from '../http/addresses';
import { routeConfigOf } from '../http/route-config';
import { ClientLookup } from './client-lookup';
import { accountSuspended } from '../accounts/suspension';

/**
 * Admits callers with a valid API key on every route without `@Public()` or `@Roles()`. `ClientLookup` finds the key
 * and checks its expiry and revocation; `restrictionOf` checks address, account and route.
 * | Nest calls guards after Fastify has read the body, but the body of an unauthenticated caller must not be read (ADR
 * 65). `AccessService` therefore calls `authenticate` and `restrictionOf` from Fastify's `onRequest` hook, and
 * `canActivate` only checks that this has happened.
 */
@Injectable()
export class ApiKeyGuard implements CanActivate {
  constructor(
    @Inject(CONFIG) private readonly config: GatewayConfig,
    private readonly clients: ClientLookup,
    private readonly reflector: Reflector,
  ) {}

  /** @throws AppError UNAUTHORIZED for a request that the hook has not authenticated */
  canActivate(context: ExecutionContext): boolean {
    const { publicBecause, consoleRole } = routeConfigOf(this.reflector, context);
    if (publicBecause !== undefined || consoleRole !== undefined) return true;
    if (!context.switchToHttp().getRequest<FastifyRequest>().client) throw unauthorized();
    return true;
  }

  /**
   * Sets the client on the request.
   * @throws AppError UNAUTHORIZED for a missing, unknown, expired or revoked key; RATE_LIMITED after too many unknown
   * keys from this address
   */
  async authenticate(request: FastifyRequest): Promise<ApiClient> {
    const client = await this.clients.findClient(request.headers.authorization, this.addressOf(request));
    if (!client) throw unauthorized();
    request.client = client;
    return client;
  }

  /** Returns the error if the address, the suspended account or the route does not allow the key. */
  restrictionOf(client: ApiClient, request: FastifyRequest): AppError | undefined {
    if (!isAddressAllowed(this.addressOf(request), client.allowedIps)) return new AppError('IP_NOT_ALLOWED');
    if (client.isSuspended) return accountSuspended();
    // Route rules do not apply to unknown routes, which return 404.
    if (request.is404) return undefined;
    const route = request.routeOptions.url ?? '';
    return isRouteAllowed(request.method, route, client.allowedRoutes) ? undefined : new AppError('ROUTE_NOT_ALLOWED');
  }

  private addressOf(request: FastifyRequest): string | undefined {
    return addressOf(request, this.config.TRUSTED_PROXY_HOPS);
  }
}

/** Returns the error for callers without a valid key, always with the same message (spec §2.1.2). */
function unauthorized(): AppError {
  return new AppError('UNAUTHORIZED', {
    message: `${ERRORS.UNAUTHORIZED.message}: send the header Authorization: Bearer <API key>`,
  });
}
