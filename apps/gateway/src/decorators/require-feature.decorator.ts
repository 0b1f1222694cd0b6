import type { FastifyRequest } from 'fastify';
import { asksForMedia } from './asks-for-media';
import type { PlanFeature } from '../request-context/plan';
import { isForm } from '../http/form-reader';
import { extendRouteConfig } from '../http/route-config';

/** The plan feature that a request needs; a function where it depends on the request. */
export type FeatureRule = PlanFeature | ((request: FastifyRequest) => PlanFeature | undefined);

/** A JSON body that sends a file by link needs MEDIA (spec §2.3.2). Decided once the body is read. */
export const mediaByLink: FeatureRule = ({ body }) => (asksForMedia(body) ? 'MEDIA' : undefined);

/** A form sends a file, which needs MEDIA. */
export const mediaByUpload: FeatureRule = (request) => (isForm(request) ? 'MEDIA' : undefined);

/** Rejects callers whose plan lacks a feature (spec §2.3.4, §2.5.1). `PlanFeatureGuard` reads it. */
export function RequireFeature(...features: FeatureRule[]): MethodDecorator {
  return extendRouteConfig({ features });
}
