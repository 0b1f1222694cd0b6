import type { ErrorCode } from '@switchboard/contracts';

/** What a bulk call can be refused with, besides what every call and every body can. */
export const BULK_ERRORS = [
  ...([
    'MISSING_FIELD',
    'INVALID_PARAMETER',
    'INVALID_VALUE',
    'INVALID_PHONE',
    'TEXT_TOO_LONG',
    'INVALID_LINK',
  ] as const),
  ...(['TEMPLATE_NOT_FOUND', 'TEMPLATE_NOT_APPROVED', 'TEMPLATE_PARAMS_MISMATCH', 'CAPTION_NOT_ALLOWED'] as const),
  ...(['FEATURE_NOT_IN_PLAN', 'NUMBER_STOPPED', 'BULK_LIMIT_EXCEEDED'] as const),
  ...(['UPSTREAM_THROTTLED', 'UPSTREAM_ERROR', 'UPSTREAM_TIMEOUT'] as const),
] satisfies ErrorCode[];

/** The same of one by spreadsheet. */
export const EXCEL_ERRORS = [
  ...(['MISSING_FIELD', 'INVALID_PARAMETER', 'INVALID_VALUE', 'INVALID_PHONE', 'TEXT_TOO_LONG'] as const),
  ...(['INVALID_LINK', 'NOT_FOUND'] as const),
  ...(['TEMPLATE_NOT_FOUND', 'TEMPLATE_NOT_APPROVED', 'TEMPLATE_PARAMS_MISMATCH'] as const),
  ...(['FILE_INVALID', 'BULK_LIMIT_EXCEEDED', 'FEATURE_NOT_IN_PLAN', 'NUMBER_STOPPED'] as const),
] satisfies ErrorCode[];
