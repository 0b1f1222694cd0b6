import type { ErrorCode } from '@switchboard/contracts';

/** Errors of a send, besides those common to all calls and all bodies. */
export const SEND_ERRORS = [
  'MISSING_FIELD',
  'INVALID_PARAMETER',
  'INVALID_VALUE',
  'INVALID_PHONE',
  'TEXT_TOO_LONG',
  'INVALID_LINK',
  'TEMPLATE_NOT_FOUND',
  'TEMPLATE_NOT_APPROVED',
  'TEMPLATE_PARAMS_MISMATCH',
  'WINDOW_CLOSED',
  'PHONE_REQUIRED',
  'CAPTION_NOT_ALLOWED',
  'MEDIA_NOT_FOUND',
  'UNSUPPORTED_MEDIA',
  'FILE_INVALID',
  'FEATURE_NOT_IN_PLAN',
  'RECIPIENT_OPTED_OUT',
  'RECIPIENT_BLOCKED',
  'NUMBER_STOPPED',
  'UPSTREAM_THROTTLED',
  'UPSTREAM_ERROR',
  'UPSTREAM_TIMEOUT',
] satisfies ErrorCode[];
