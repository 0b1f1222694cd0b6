import { HttpException } from '@nestjs/common';
import { AppError, type ErrorCode } from '@switchboard/contracts';
import { isDatabaseUnavailable, isOutcomeUnknown } from '@switchboard/database';

/** Fastify errors with stable messages. Fastify's own messages may change with its version. */
const FASTIFY_ERRORS: Record<string, { code: ErrorCode; message?: string }> = {
  FST_ERR_CTP_BODY_TOO_LARGE: { code: 'PAYLOAD_TOO_LARGE' },
  FST_ERR_CTP_INVALID_MEDIA_TYPE: {
    code: 'UNSUPPORTED_MEDIA_TYPE',
    message: 'this content type is not supported: send application/json',
  },
  FST_ERR_CTP_EMPTY_JSON_BODY: { code: 'INVALID_JSON', message: 'the body is not valid JSON: it is empty' },
  FST_ERR_CTP_INVALID_JSON_BODY: { code: 'INVALID_JSON' },
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: {
    code: 'INVALID_PARAMETER',
    message: 'the Content-Length header does not match the body',
  },
  FST_ERR_BAD_URL: { code: 'INVALID_PARAMETER', message: 'the URL is not valid' },
  FST_ERR_MAX_PARAM_LENGTH: { code: 'NOT_FOUND', message: 'not found: a part of the path is too long' },
};
/** Codes for errors that have only a status, such as Nest's exceptions. Their messages appear only in the log. */
const BY_STATUS: Record<number, ErrorCode> = {
  400: 'INVALID_PARAMETER',
  401: 'UNAUTHORIZED',
  404: 'NOT_FOUND',
  405: 'METHOD_NOT_ALLOWED',
  413: 'PAYLOAD_TOO_LARGE',
  415: 'UNSUPPORTED_MEDIA_TYPE',
  416: 'RANGE_NOT_SATISFIABLE',
  422: 'INVALID_VALUE',
  429: 'RATE_LIMITED',
  502: 'UPSTREAM_ERROR',
  503: 'UNAVAILABLE',
  504: 'OUTCOME_UNKNOWN',
};

/** Maps any error to an error of the API. An unexpected error becomes INTERNAL, with the error as its cause. */
export function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  if (isOutcomeUnknown(error)) return new AppError('OUTCOME_UNKNOWN', { cause: error });
  if (isDatabaseUnavailable(error)) return new AppError('UNAVAILABLE', { cause: error });
  const origin = error instanceof HttpException ? (error.cause ?? error) : error;
  const known = FASTIFY_ERRORS[codeOf(origin)];
  if (known) return new AppError(known.code, { message: known.message, cause: origin });
  const status = statusOf(error);
  // A guard returned false. The code's default message mentions an API key, which dashboard users do not have.
  if (status === 403) return new AppError('ROUTE_NOT_ALLOWED', { message: 'this route is not allowed', cause: error });
  const code = BY_STATUS[status] ?? (status >= 400 && status < 500 ? 'INVALID_PARAMETER' : 'INTERNAL');
  return new AppError(code, { cause: error });
}

function codeOf(error: unknown): string {
  return typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'string'
    ? error.code
    : '';
}

function statusOf(error: unknown): number {
  if (error instanceof HttpException) return error.getStatus();
  return typeof error === 'object' && error !== null && 'statusCode' in error && typeof error.statusCode === 'number'
    ? error.statusCode
    : 500;
}
