import { histogram, inSpan, SpanKind } from '@switchboard/platform';
import type { Answer } from './exchange';
import { UpstreamError } from './upstream-error';

const durations = histogram(
  'upstream_request_duration_seconds',
  'Time of a call of the upstream platform, with its wait for a connection, by what came of it: the class of the status, unavailable (not sent), unknown (sent, no answer)',
  ['operation', 'outcome'],
);

/** Makes a call inside a span and records its duration, whatever its outcome. */
export function measured(method: string, path: string, call: () => Promise<Answer>): Promise<Answer> {
  const startedAt = performance.now();
  const operation = operationOf(method, path);
  const observe = (outcome: string): void =>
    durations.observe({ operation, outcome }, (performance.now() - startedAt) / 1_000);
  return inSpan(`upstream ${operation}`, { kind: SpanKind.CLIENT }, async (span) => {
    try {
      const answer = await call();
      span.setAttribute('http.response.status_code', answer.httpStatus);
      observe(`${Math.floor(answer.httpStatus / 100)}xx`);
      return answer;
    } catch (error) {
      observe(error instanceof UpstreamError && error.kind === 'unavailable' ? 'unavailable' : 'unknown');
      throw error;
    }
  });
}

/** Returns the path without version, ids and query, to limit the number of label values and exclude customer data. */
export function operationOf(method: string, path: string): string {
  const segments = (path.split('?', 1)[0] ?? '').split('/').filter(Boolean);
  const named = segments
    .filter((segment) => !/^v\d+\.\d+$/.test(segment))
    .map((segment) => (/^[a-z_]{1,40}$/.test(segment) ? segment : ':id'));
  return `${method} /${named.join('/')}`;
}
