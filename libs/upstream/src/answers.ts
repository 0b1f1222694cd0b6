import type { Answer } from './exchange';
import type { UpstreamErrorEnvelope } from './types';
import { rejected, turnedAway, unknownOutcome } from './upstream-error';

/** A proxy's idea of when to come back is believed up to here. */
const LONGEST_RETRY_AFTER_SECONDS = 600;

/**
 * The answer's body when it is a 2xx of the wanted shape. What else an answer may be, and what it says of the call:
 * - an error envelope, with any status: the platform refused the call. Nothing was done.
 * - 2xx of another shape, as an answer to a send without a message id: the platform took the call, and what it did
 *   cannot be read. The outcome is unknown.
 * - 429, 4xx or 3xx with any other body: the platform, or a proxy in front of it, turned the call away. Nothing was
 *   done; 429 is throttling.
 * - 5xx with any other body, as the HTML of a proxy: the proxy had the call and may have handed it on before it lost
 *   the platform's answer, and callbacks may be late while the platform is in such trouble. The outcome is unknown.
 *
 * A call whose outcome is unknown although something answered is never made again by us (`wasReceived`): it would be
 * done twice if it was done.
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

/** `Retry-After` as seconds or as a date; undefined when it is neither. */
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
    return undefined; // a proxy's HTML page, or a body cut short
  }
}

function isErrorEnvelope(body: object | undefined): body is UpstreamErrorEnvelope {
  const error = (body as Partial<UpstreamErrorEnvelope> | undefined)?.error;
  return typeof error === 'object' && error !== null && typeof error.code === 'number';
}
