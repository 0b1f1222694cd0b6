import { AppError } from '@switchboard/contracts';
import type { FastifyInstance } from 'fastify';
import { extendRouteConfig } from './route-config';

/** The route's handler reads forms with files itself, from the request's own stream. */
export function TakesForms(): MethodDecorator {
  return extendRouteConfig({ takesForms: true });
}

/** The body of a request with a form: its handler reads it from the request's own stream. */
export class UnreadForm {}

/** Leaves a form unread for its handler; routes that take none refuse it. */
export function useFormParser(fastify: FastifyInstance): void {
  fastify.addContentTypeParser('multipart/form-data', (request, _payload, done) => {
    if (request.routeOptions.config.takesForms) return done(null, new UnreadForm());
    return done(
      new AppError('UNSUPPORTED_MEDIA_TYPE', { message: 'this content type is not supported: send application/json' }),
    );
  });
}
