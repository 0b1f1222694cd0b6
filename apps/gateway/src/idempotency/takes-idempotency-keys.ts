import { applyDecorators } from '@nestjs/common';
import { ApiHeader } from '@nestjs/swagger';
import { extendRouteConfig } from '../http/route-config';

/**
 * Lets users repeat a console POST with an Idempotency-Key, like every POST of the public API. Not for responses with
 * secrets, since responses are stored for a day.
 */
export function TakesIdempotencyKeys(): MethodDecorator {
  return applyDecorators(
    extendRouteConfig({ takesIdempotencyKeys: true }),
    ApiHeader({
      name: 'Idempotency-Key',
      required: false,
      description:
        'A repeat with the same key within 24 hours is not executed again and returns the same response. Keys are scoped to the user and the route.',
      schema: { type: 'string', maxLength: 255 },
    }),
  );
}
