import type { Answer } from './exchange';
import type { UpstreamErrorEnvelope } from './types';
import { rejected, unknownOutcome } from './upstream-error';

/** The answer's body when it is a 2xx of the wanted shape; an envelope is a refusal, anything else proves nothing. */
export function readAs<T extends object>(answer: Answer, hasShape: (body: Partial<T>) => boolean): T {
  const { httpStatus, text } = answer;
  const body = parseObject(text);
  if (isErrorEnvelope(body)) throw rejected(body, httpStatus);
  if (!body || httpStatus < 200 || httpStatus > 299) {
    throw unknownOutcome(`HTTP ${httpStatus} without an error envelope`, { httpStatus });
  }
  if (!hasShape(body as Partial<T>)) throw unknownOutcome('Answer of an unexpected shape', { httpStatus });
  return body as T;
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
