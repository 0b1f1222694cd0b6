import type { ErrorCode } from '@switchboard/contracts';

/** Errors of bulk calls, besides those common to all calls and all bodies. */
export const BULK_ERRORS = [
  'MISSING_FIELD',
  'INVALID_PARAMETER',
  'INVALID_VALUE',
  'INVALID_PHONE',
  'TEXT_TOO_LONG',
  'INVALID_LINK',
  'TEMPLATE_NOT_FOUND',
  'TEMPLATE_NOT_APPROVED',
  'TEMPLATE_PARAMS_MISMATCH',
  'CAPTION_NOT_ALLOWED',
  'MEDIA_NOT_FOUND',
  'UNSUPPORTED_MEDIA',
  'FEATURE_NOT_IN_PLAN',
  'NUMBER_STOPPED',
  'BULK_LIMIT_EXCEEDED',
  'UPSTREAM_THROTTLED',
  'UPSTREAM_ERROR',
  'UPSTREAM_TIMEOUT',
] satisfies ErrorCode[];

/** Errors of bulk calls by spreadsheet, besides the common ones. */
export const EXCEL_ERRORS = [
  'MISSING_FIELD',
  'INVALID_PARAMETER',
  'INVALID_VALUE',
  'INVALID_PHONE',
  'TEXT_TOO_LONG',
  'INVALID_LINK',
  'NOT_FOUND',
  'TEMPLATE_NOT_FOUND',
  'TEMPLATE_NOT_APPROVED',
  'TEMPLATE_PARAMS_MISMATCH',
  'MEDIA_NOT_FOUND',
  'UNSUPPORTED_MEDIA',
  'FILE_INVALID',
  'BULK_LIMIT_EXCEEDED',
  'FEATURE_NOT_IN_PLAN',
  'NUMBER_STOPPED',
] satisfies ErrorCode[];

/** Errors of console requests with an Idempotency-Key. */
export const REPEAT_ERRORS = ['IDEMPOTENCY_IN_PROGRESS', 'IDEMPOTENCY_MISMATCH'] satisfies ErrorCode[];
