import { Inject, Injectable, NotFoundException } from '@nestjs/common';
import { AppError } from '@switchboard/contracts';
import { CONFIG } from '@switchboard/platform';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { GatewayConfig } from '../config';
import { ConsoleAccess } from './console-access';
import { knowConnection } from '../http/anonymous-connections';
import { addressOf, isAddressAllowed, networkOf, trustedEntry } from '../http/addresses';
import type { ApiClient } from '../caller/client';
import { pathOf, type RouteTable } from '../http/route-table';
import { featureOf, requireFeature } from './features';
import { ClientLookup } from './client-lookup';
import { type Rate, waitMsOf } from './gcra';
import { MemoryRates } from './memory-rates';
import { ReadPlaces } from './read-places';
import { RateLimits } from './rate-limits';
import { rateHeaders } from '../caller/rate-usage';
import { isRouteAllowed } from '../accounts/route-rules';
import { accountSuspended } from './suspension';

/** Decides who may call what, before a byte of the body is read. */
@Injectable()
export class AccessService {
  /** Of callers without a key, by address; of IPv6 by network. */
  private readonly anonymous = new MemoryRates();

  constructor(
    @Inject(CONFIG) private readonly config: GatewayConfig,
    private readonly clients: ClientLookup,
    private readonly rateLimits: RateLimits,
    private readonly console: ConsoleAccess,
    private readonly reads: ReadPlaces,
  ) {}

  /**
   * Lets a request in or throws its refusal, in the order of spec §2.5: key, HTTPS, address, route, rate limit, plan
   * feature. A read then waits for one of its account's places. Sets the caller on the request and the rate headers on
   * the reply. The console's routes are for people who are signed in.
   */
  async admit(request: FastifyRequest, reply: FastifyReply, routes: RouteTable): Promise<void> {
    // The error filter looks for other methods of the path; the body is not read.
    if (request.is404) {
      if (routes.needsKey(pathOf(request))) await this.admitAstray(request, reply);
      throw new NotFoundException();
    }
    const { publicBecause, consoleRole, evenSuspended } = request.routeOptions.config;
    if (publicBecause === undefined) reply.header('cache-control', 'no-store');
    const client = publicBecause !== undefined || consoleRole ? undefined : await this.authenticate(request);
    if (!client && this.lacksHttps(request)) throw new AppError('HTTPS_REQUIRED');
    if (publicBecause !== undefined) return this.admitAnonymous(request);
    if (consoleRole)
      await this.console.admit(request, reply, {
        needed: consoleRole,
        address: this.addressOf(request),
        evenSuspended: evenSuspended ?? false,
      });
    if (client) await this.admitClient(client, request, reply);
    knowConnection(request.raw.socket);
    const account = client?.account ?? request.consoleUser?.account;
    if (account) await this.reads.admit(request, reply, account.id);
  }

  /** A caller with a key who asks for what is no route: it counts like any other request. */
  private async admitAstray(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const client = await this.authenticate(request);
    await this.admitClient(client, request, reply);
  }

  private lacksHttps(request: FastifyRequest): boolean {
    return this.config.REQUIRE_HTTPS && !this.cameByHttps(request);
  }

  private async authenticate(request: FastifyRequest): Promise<ApiClient> {
    const client = await this.clients.findClient(request.headers.authorization, this.addressOf(request));
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
    const feature = request.is404 ? undefined : featureOf(request);
    if (feature) requireFeature(client, feature);
  }

  private async admitAnonymous(request: FastifyRequest): Promise<void> {
    const { perAddress, requireHead, isSignIn } = request.routeOptions.config;
    if (perAddress) this.countAnonymous(request, perAddress);
    requireHead?.(request);
    if (isSignIn) await this.console.admitSignIn(request, this.addressOf(request));
  }

  /** Counted by this gateway alone: it bounds what an anonymous caller can make it do, and is no promise to anybody. */
  private countAnonymous(request: FastifyRequest, rate: Rate): void {
    const { admitted, debtMs } = this.anonymous.take(networkOf(this.addressOf(request)), rate);
    if (!admitted)
      throw new AppError('RATE_LIMITED', { retryAfterSeconds: Math.max(1, Math.ceil(waitMsOf(rate, debtMs) / 1_000)) });
  }

  private restrictionOf(client: ApiClient, request: FastifyRequest): AppError | undefined {
    if (this.lacksHttps(request)) return new AppError('HTTPS_REQUIRED');
    if (!isAddressAllowed(this.addressOf(request), client.allowedIps)) return new AppError('IP_NOT_ALLOWED');
    if (client.isSuspended) return accountSuspended();
    // What is no route is nobody's to forbid: a mistyped path is answered 404.
    if (request.is404) return undefined;
    const route = request.routeOptions.url ?? '';
    return isRouteAllowed(request.method, route, client.allowedRoutes) ? undefined : new AppError('ROUTE_NOT_ALLOWED');
  }

  private addressOf(request: FastifyRequest): string | undefined {
    return addressOf(request, this.config.TRUSTED_PROXY_HOPS);
  }

  private cameByHttps(request: FastifyRequest): boolean {
    const { TRUSTED_PROXY_HOPS: hops } = this.config;
    // Without a proxy of ours the connection itself tells, and no header can say otherwise.
    if (hops === 0) return 'encrypted' in request.raw.socket && request.raw.socket.encrypted === true;
    return trustedEntry(request.headers['x-forwarded-proto'], hops)?.toLowerCase() === 'https';
  }
}
