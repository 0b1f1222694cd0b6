import { ApiParam } from '@nestjs/swagger';
import type { ErrorCode } from '@switchboard/contracts';

/** Errors of a read receipt or typing indicator, besides those common to all calls. */
export const RECEIPT_ERRORS = [
  'INVALID_PARAMETER',
  'INVALID_VALUE',
  'NOT_FOUND',
  'NUMBER_STOPPED',
  'UPSTREAM_THROTTLED',
  'UPSTREAM_ERROR',
  'UPSTREAM_TIMEOUT',
] satisfies ErrorCode[];

export function ApiReceivedMessage(): MethodDecorator {
  return ApiParam({
    name: 'id',
    description: "ID of a received message: the service's `id` or the ID assigned by the upstream platform",
    schema: { type: 'string', example: 'msg_01jd0000000000000000000000' },
  });
}
