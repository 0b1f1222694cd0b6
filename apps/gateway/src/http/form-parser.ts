import { AppError } from '@switchboard/contracts';
import type { FastifyInstance } from 'fastify';
import { extendRouteConfig } from './route-config';

/** Marks a route whose handler reads forms with files from the request's stream. */
export function TakesForms(): MethodDecorator {
  return extendRouteConfig({ takesForms: true });
}

/** Placeholder body of a form. The handler reads the form from the request's stream. */
export class UnreadForm {}

/** Leaves forms unread for their handlers; other routes reject them. */
export function useFormParser(fastify: FastifyInstance): void {
  fastify.addContentTypeParser('multipart/form-data', (request, _payload, done) => {
    if (request.routeOptions.config.takesForms) return done(null, new UnreadForm());
    return done(
      new AppError('UNSUPPORTED_MEDIA_TYPE', { message: 'this content type is not supported: send application/json' }),
    );
  });
}
