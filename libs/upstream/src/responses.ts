import type { Answer } from './exchange';
import type { UpstreamErrorEnvelope } from './types';
import { rejected, turnedAway, unknownOutcome } from './upstream-error';

/** Maximum accepted Retry-After. Any proxy may set the header. */
const LONGEST_RETRY_AFTER_SECONDS = 600;

/**
 * Returns the response body of a 2xx with the expected shape. Other responses mean:
 * - An error envelope, with any status: the platform rejected the call. Nothing was done.
 * - A 2xx of another shape, such as a send response without a message id: the platform accepted the call, but what it
 *   did is unreadable. The outcome is unknown.
 * - 429, 4xx or 3xx with any other body: the platform, or a proxy in front of it, turned the call away. Nothing was
 *   done; 429 is throttling.
 * - 5xx with any other body, such as a proxy's HTML page: the proxy received the call and may have forwarded it before
 *   it lost the platform's response. Callbacks may be late during such an outage. The outcome is unknown.
 *
 * A call with an unknown outcome that got any response is never retried (`wasReceived`), because that could do it
 * twice.
 */
export function readAs<T extends object>(answer: Answer, hasShape: (body: Partial<T>) => boolean): T {
  const { httpStatus, text } = answer;
  const facts = { httpStatus, retryAfterSeconds: secondsOf(answer.retryAfter) };
  const body = parseObject(text);
  if (isErrorEnvelope(body)) throw rejected(body, facts);
  if (httpStatus >= 300 && httpStatus <= 499) throw turnedAway(facts);
  if (httpStatus < 200 || httpStatus > 299)
    throw unknownOutcome(`HTTP ${httpStatus} without an error envelope`, { httpStatus });
  if (!body || !hasShape(body as Partial<T>)) throw unknownOutcome('Answer of an unexpected shape', { httpStatus });
  return body as T;
}

/** Parses `Retry-After` as seconds or a date. Returns undefined when it is neither. */
function secondsOf(retryAfter: string | undefined): number | undefined {
  if (retryAfter === undefined) return undefined;
  const seconds = /^\d+$/.test(retryAfter)
    ? Number(retryAfter)
    : Math.ceil((Date.parse(retryAfter) - Date.now()) / 1_000);
  return Number.isNaN(seconds) ? undefined : Math.min(Math.max(seconds, 1), LONGEST_RETRY_AFTER_SECONDS);
}

function parseObject(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined; // A proxy's HTML page, or a truncated body.
  }
}

function isErrorEnvelope(body: object | undefined): body is UpstreamErrorEnvelope {
  const error = (body as Partial<UpstreamErrorEnvelope> | undefined)?.error;
  return typeof error === 'object' && error !== null && typeof error.code === 'number';
}
