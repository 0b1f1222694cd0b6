import type { AppError } from '@switchboard/contracts';

/** How an error goes over the wire (decisions 2). */
export interface ErrorAnswer {
  status: number;
  headers: Record<string, string>;
  body: object;
}

/** The one place where the body of an error is written. Fields of `extra` stand beside the fixed ones and never replace them. */
export function errorAnswer(error: AppError, requestId: string): ErrorAnswer {
  const { status, message, code, details, retryAfterSeconds, extra } = error;
  // Every 429 names a time (decisions 2), also one whose sender knew none.
  const wait = retryAfterSeconds ?? (status === 429 ? 1 : undefined);
  return {
    status,
    headers: { 'x-request-id': requestId, ...(wait !== undefined && { 'retry-after': String(wait) }) },
    body: Object.assign({ success: false }, extra, { success: false, message, code }, details && { details }, { requestId }),
  };
}
