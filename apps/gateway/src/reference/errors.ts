import type { ErrorCode } from '@switchboard/contracts';

/** What any authenticated call can be answered with. */
export const COMMON_ERRORS = [
  'UNAUTHORIZED',
  'IP_NOT_ALLOWED',
  'ROUTE_NOT_ALLOWED',
  'HTTPS_REQUIRED',
  'RATE_LIMITED',
  'INTERNAL',
  'UNAVAILABLE',
] as const satisfies readonly ErrorCode[];

export const SEND_ERRORS = [
  'MISSING_FIELD',
  'INVALID_PARAMETER',
  'INVALID_JSON',
  'TEMPLATE_NOT_FOUND',
  'TEMPLATE_NOT_APPROVED',
  'TEMPLATE_PARAMS_MISMATCH',
  'WINDOW_CLOSED',
  'PAYLOAD_TOO_LARGE',
  'UNSUPPORTED_MEDIA_TYPE',
  'INVALID_PHONE',
  'TEXT_TOO_LONG',
  'INVALID_VALUE',
  'UPSTREAM_THROTTLED',
  'UPSTREAM_ERROR',
  'UPSTREAM_TIMEOUT',
] as const satisfies readonly ErrorCode[];
