import type { FastifyRequest } from 'fastify';
import { asksForMedia } from './asks-for-media';
import type { PlanFeature } from '../request-context/plan';
import { isForm } from '../http/form-reader';
import { extendRouteConfig } from '../http/route-config';

/** Plan feature that a request needs, or a function that determines it from the request. */
export type FeatureRule = PlanFeature | ((request: FastifyRequest) => PlanFeature | undefined);

/** Requires MEDIA for a JSON body that sends a file by link (spec §2.3.2). Checked after the body has been read. */
export const mediaByLink: FeatureRule = ({ body }) => (asksForMedia(body) ? 'MEDIA' : undefined);

/** Requires MEDIA for a form that uploads a file. */
export const mediaByUpload: FeatureRule = (request) => (isForm(request) ? 'MEDIA' : undefined);

/** Rejects callers whose plan lacks one of the features (spec §2.3.4, §2.5.1). Enforced by `PlanFeatureGuard`. */
export function RequireFeature(...features: FeatureRule[]): MethodDecorator {
  return extendRouteConfig({ features });
}
