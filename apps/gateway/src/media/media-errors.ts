import type { ErrorCode } from '@switchboard/contracts';

/** Errors of an upload, in addition to those of every call and every body. */
export const UPLOAD_ERRORS = [
  'MISSING_FIELD',
  'INVALID_PARAMETER',
  'UNSUPPORTED_MEDIA',
  'FILE_INVALID',
  'FEATURE_NOT_IN_PLAN',
  'MEDIA_QUOTA_EXCEEDED',
  'PAYLOAD_TOO_LARGE',
] satisfies ErrorCode[];
