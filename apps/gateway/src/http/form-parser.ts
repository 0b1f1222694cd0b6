import { AppError } from '@switchboard/contracts';
import type { FastifyInstance } from 'fastify';
import { extendRouteConfig } from './route-config';

/** Marks a route whose handler reads forms with files from the request stream. */
export function TakesForms(): MethodDecorator {
  return extendRouteConfig({ takesForms: true });
}

/** Placeholder for the body of a form, which the handler reads from the request stream. */
export class UnreadForm {}

/** Leaves forms unread for handlers with `@TakesForms()`; other routes reject forms. */
export function useFormParser(fastify: FastifyInstance): void {
  fastify.addContentTypeParser('multipart/form-data', (request, _payload, done) => {
    if (request.routeOptions.config.takesForms) return done(null, new UnreadForm());
    return done(
      new AppError('UNSUPPORTED_MEDIA_TYPE', { message: 'this content type is not supported: send application/json' }),
    );
  });
}
