import { Inject, Injectable, NotFoundException } from '@nestjs/common';
import { AppError } from '@switchboard/contracts';
import { CONFIG } from '@switchboard/platform';
import type { FastifyContextConfig, FastifyReply, FastifyRequest } from 'fastify';
import type { Role } from '../request-context/roles';
import type { GatewayConfig } from '../config';
import { trustedEntry } from '../http/addresses';
import { knowConnection } from '../http/anonymous-connections';
import { pathOf, type RouteTable } from '../http/route-table';
import { ApiKeyGuard } from './api-key.guard';
import { PlanFeatureGuard } from './plan-feature.guard';
import { RateLimitGuard } from './rate-limit.guard';
import { requireRole } from './roles.guard';
import { SessionGuard } from './session.guard';

/** Runs the guards' checks in order. Fastify's `onRequest` hook calls it before the body is read (ADR 65). */
@Injectable()
export class AccessService {
  constructor(
    @Inject(CONFIG) private readonly config: GatewayConfig,
    private readonly keys: ApiKeyGuard,
    private readonly sessions: SessionGuard,
    private readonly rates: RateLimitGuard,
    private readonly features: PlanFeatureGuard,
  ) {}

  /**
   * Admits a request or throws the error that rejects it, in the order of spec §2.5: key, HTTPS, address, route, rate
   * limit, plan feature. Sets the caller on the request and the rate limit headers on the reply.
   */
  async admit(request: FastifyRequest, reply: FastifyReply, routes: RouteTable): Promise<void> {
    // The error filter determines whether the path has other methods. The body is not read.
    if (request.is404) {
      if (routes.needsKey(pathOf(request))) await this.admitClient(request, reply);
      throw new NotFoundException();
    }
    const { config } = request.routeOptions;
    if (config.publicBecause !== undefined) return this.admitAnonymous(request, config);
    reply.header('cache-control', 'no-store');
    if (config.consoleRole) await this.admitUser(request, reply, config.consoleRole, config.exceptRole);
    else await this.admitClient(request, reply);
    if (config.features) await this.features.requireFeatures(request, config.features);
    knowConnection(request.raw.socket);
  }

  /** Admits a caller with an API key. Requests to unknown routes count against the rate limit. */
  private async admitClient(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const client = await this.keys.authenticate(request);
    const restriction = this.lacksHttps(request)
      ? new AppError('HTTPS_REQUIRED')
      : this.keys.restrictionOf(client, request);
    if (restriction) {
      // A rejected caller is authenticated, so the response shows its usage, but the request is not counted.
      await this.rates.showUsage(client, reply);
      throw restriction;
    }
    await this.rates.countClient(client, request, reply);
  }

  private async admitUser(
    request: FastifyRequest,
    reply: FastifyReply,
    needed: Role,
    except: Role | undefined,
  ): Promise<void> {
    this.requireHttps(request);
    const session = await this.sessions.authenticate(request);
    await this.rates.countSession(session.user, request, reply);
    this.sessions.requireOwnPage(request, session);
    requireRole(session.user.role, needed, except);
  }

  private async admitAnonymous(
    request: FastifyRequest,
    { perAddress, requireHead, isSignIn }: FastifyContextConfig,
  ): Promise<void> {
    this.requireHttps(request);
    if (perAddress) this.rates.countAnonymous(request, perAddress);
    requireHead?.(request);
    if (isSignIn) await this.sessions.countSignIn(request);
  }

  private requireHttps(request: FastifyRequest): void {
    if (this.lacksHttps(request)) throw new AppError('HTTPS_REQUIRED');
  }

  private lacksHttps(request: FastifyRequest): boolean {
    return this.config.REQUIRE_HTTPS && !this.cameByHttps(request);
  }

  private cameByHttps(request: FastifyRequest): boolean {
    const { TRUSTED_PROXY_HOPS: hops } = this.config;
    // Without a trusted proxy, only the connection itself is proof; headers can be forged.
    if (hops === 0) return 'encrypted' in request.raw.socket && request.raw.socket.encrypted === true;
    return trustedEntry(request.headers['x-forwarded-proto'], hops)?.toLowerCase() === 'https';
  }
}
