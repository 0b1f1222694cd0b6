import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { AppError } from '@switchboard/contracts';
import type { FastifyRequest } from 'fastify';
import { OverridesService } from '../accounts/overrides.service';
import type { Plan, PlanFeature } from '../request-context/plan';
import { withinDatabaseDeadline } from '../http/database-deadline';
import { routeConfigOf } from '../http/route-config';
import type { FeatureRule } from '../decorators/require-feature.decorator';

/**
 * Rejects callers whose plan lacks a feature required by `@RequireFeature()`.
 * | Features are checked twice. `AccessService` calls `requireFeatures` before the body is read (ADR 65), for features
 * that the request head determines. `canActivate` checks those that depend on the body.
 */
@Injectable()
export class PlanFeatureGuard implements CanActivate {
  constructor(
    private readonly overrides: OverridesService,
    private readonly reflector: Reflector,
  ) {}

  /** Runs on every request, so it returns synchronously if no feature is needed, as for most sends. */
  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    const { features = [] } = routeConfigOf(this.reflector, context);
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    return neededBy(request, features).length === 0 || this.requireFeatures(request, features);
  }

  /** Loads the plan if the request needs a feature. @throws AppError FEATURE_NOT_IN_PLAN */
  async requireFeatures(request: FastifyRequest, rules: readonly FeatureRule[]): Promise<true> {
    for (const feature of neededBy(request, rules)) {
      request.plan ??= await this.planOf(request);
      if (!request.plan.features.includes(feature))
        throw new AppError('FEATURE_NOT_IN_PLAN', { message: `feature not available in your plan: ${feature}` });
    }
    return true;
  }

  private async planOf({ client, consoleUser }: FastifyRequest): Promise<Plan> {
    if (client) return client.plan;
    if (!consoleUser) throw new AppError('UNAUTHORIZED');
    return withinDatabaseDeadline(this.overrides.planOf(consoleUser.account.id));
  }
}

function neededBy(request: FastifyRequest, rules: readonly FeatureRule[]): PlanFeature[] {
  return rules
    .map((rule) => (typeof rule === 'function' ? rule(request) : rule))
    .filter((feature) => feature !== undefined);
}
