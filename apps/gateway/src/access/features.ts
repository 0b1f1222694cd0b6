import { AppError } from '@switchboard/contracts';
import type { FastifyRequest } from 'fastify';
import type { PlanFeature } from '../caller/plan';
import { extendRouteConfig } from '../http/route-config';
import type { ApiClient } from '../caller/client';

/** The feature a request needs; a function for a route on which it depends on the request's head. */
export type FeatureRule = PlanFeature | ((request: FastifyRequest) => PlanFeature | undefined);

/** Refuses callers whose plan has not the feature, before it reads the body or any file in it (spec §2.3.4, §2.5.1). */
export function NeedsFeature(feature: FeatureRule): MethodDecorator {
  return extendRouteConfig({ feature });
}

/** For what only the body tells. @throws AppError FEATURE_NOT_IN_PLAN */
export function requireFeature({ plan }: Pick<ApiClient, 'plan'>, feature: PlanFeature): void {
  if (!plan.features.includes(feature))
    throw new AppError('FEATURE_NOT_IN_PLAN', { message: `feature not available in your plan: ${feature}` });
}

/** What the route of a request needs. */
export function featureOf(request: FastifyRequest): PlanFeature | undefined {
  const { feature } = request.routeOptions.config;
  return typeof feature === 'function' ? feature(request) : feature;
}
