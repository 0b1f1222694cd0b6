import { Inject, Injectable } from '@nestjs/common';
import { AppError } from '@switchboard/contracts';
import { CONFIG } from '@switchboard/platform';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { GatewayConfig } from '../config';
import { clientAddress, isAddressAllowed, trustedEntry } from './addresses';
import type { ApiClient } from './client';
import { ClientLookup } from './client-lookup';
import { RateLimits, rateHeaders } from './rate-limits';
import { isRouteAllowed } from './route-rules';

/** Decides who may call what, before a byte of the body is read. */
@Injectable()
export class AccessService {
  constructor(
    @Inject(CONFIG) private readonly config: GatewayConfig,
    private readonly clients: ClientLookup,
    private readonly rateLimits: RateLimits,
  ) {}

  /**
   * Lets a request in or throws its refusal, in the order of decisions 2: key, HTTPS, address, route, rate limit.
   * Sets the caller on the request and the rate headers on the reply.
   */
  async admit(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    if (request.is404) return;
    const isPublic = request.routeOptions.config.publicBecause !== undefined;
    const client = isPublic ? undefined : await this.authenticate(request);
    if (this.config.REQUIRE_HTTPS && !this.cameByHttps(request)) throw new AppError('HTTPS_REQUIRED');
    if (client) await this.admitClient(client, request, reply);
  }

  private async authenticate(request: FastifyRequest): Promise<ApiClient> {
    const client = await this.clients.findClient(request.headers.authorization);
    if (!client) throw new AppError('UNAUTHORIZED');
    request.client = client;
    return client;
  }

  private async admitClient(client: ApiClient, request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const restriction = this.restrictionOf(client, request);
    if (restriction) {
      // A refused caller is authenticated all the same: it sees its figures, and the refusal costs it nothing.
      reply.headers(rateHeaders(await this.rateLimits.peek(client)));
      throw restriction;
    }
    const { usage, refusal } = await this.rateLimits.count(client);
    reply.headers(rateHeaders(usage));
    request.rateUsage = usage;
    if (refusal) throw refusal;
  }

  private restrictionOf(client: ApiClient, request: FastifyRequest): AppError | undefined {
    const address = clientAddress({
      socketAddress: request.raw.socket.remoteAddress,
      forwardedFor: request.headers['x-forwarded-for'],
      trustedHops: this.config.TRUSTED_PROXY_HOPS,
    });
    if (!isAddressAllowed(address, client.allowedIps)) return new AppError('IP_NOT_ALLOWED');
    const route = request.routeOptions.url ?? '';
    return isRouteAllowed(request.method, route, client.allowedRoutes) ? undefined : new AppError('ROUTE_NOT_ALLOWED');
  }

  private cameByHttps(request: FastifyRequest): boolean {
    return trustedEntry(request.headers['x-forwarded-proto'], this.config.TRUSTED_PROXY_HOPS)?.toLowerCase() === 'https';
  }
}
