import type { AppError } from '@switchboard/contracts';

/** How an error goes over the wire (spec §6.1). */
export interface ErrorAnswer {
  status: number;
  headers: Record<string, string>;
  body: object;
}

/** Named also where the sender knew no time (spec §3.9.5). An outcome that is unknown needs time to become known. */
const RETRY_AFTER_SECONDS: Record<number, number> = { 429: 1, 503: 2, 504: 5 };

/**
 * The one place where the body of an error is written. Fields of `extra` stand beside the fixed ones and never replace
 * them.
 */
export function errorAnswer(error: AppError, requestId: string): ErrorAnswer {
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
