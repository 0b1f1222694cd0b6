import type { AppError } from '@switchboard/contracts';

export interface ErrorResponse {
  status: number;
  headers: Record<string, string>;
  body: object;
}

/** Default `Retry-After` in seconds, by status (spec §3.9.5). An unknown outcome takes longer to resolve. */
const RETRY_AFTER_SECONDS: Record<number, number> = { 429: 1, 503: 2, 504: 5 };

/** Builds the response of an error. Extra fields never replace the fixed ones. */
export function errorResponse(error: AppError, requestId: string): ErrorResponse {
  const { status, message, code, details, retryAfterSeconds, extra } = error;
  const wait = retryAfterSeconds ?? RETRY_AFTER_SECONDS[status];
  return {
    status,
    headers: {
      'x-request-id': requestId,
      ...(code === 'UNAUTHORIZED' && { 'www-authenticate': 'Bearer' }),
      ...(wait !== undefined && { 'retry-after': String(wait) }),
    },
    body: Object.assign({ success: false }, extra, {
      success: false,
      message,
      code,
      details: details ?? [],
      requestId,
    }),
  };
}
