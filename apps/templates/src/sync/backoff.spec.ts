import type { UpstreamError } from '@switchboard/upstream';
import { pauseAfter } from './backoff';

const error = (fields: Partial<UpstreamError>) => ({ kind: 'rejected', category: 'other', ...fields }) as UpstreamError;
const throttled = error({ category: 'rate_limit' });

it.each([
  [0, 60],
  [1, 120],
  [3, 480],
  [6, 3_600],
  [40, 3_600],
])('pauses a business throttled after %i consecutive failures for %i s', (failures, seconds) =>
  expect(pauseAfter(throttled, { failures, intervalSeconds: 300 })).toEqual({ seconds, isRest: true }),
);

it('pauses for the delay that the upstream platform requests', () =>
  expect(
    pauseAfter(error({ category: 'rate_limit', retryAfterSeconds: 900 }), { failures: 0, intervalSeconds: 300 }),
  ).toEqual({ seconds: 900, isRest: true }));

it.each([
  ['is unreachable', error({ kind: 'unavailable' }), 0, 30],
  ['is unreachable repeatedly', error({ kind: 'unavailable' }), 2, 120],
  ['is unreachable for a long time', error({ kind: 'unavailable' }), 50, 300],
  ['returns an invalid response', error({ kind: 'unknown-outcome' }), 1, 60],
  ['rejects a valid call', error({}), 0, 30],
  ['rejects the token', error({ category: 'auth' }), 0, 300],
  ['has locked the business', error({ category: 'integrity' }), 0, 300],
])('pauses when the upstream platform %s', (_case, given, failures, seconds) =>
  expect(pauseAfter(given, { failures, intervalSeconds: 300 })).toEqual({ seconds, isRest: false }),
);

it('never waits longer than a short sync interval', () =>
  expect(pauseAfter(error({ kind: 'unavailable' }), { failures: 5, intervalSeconds: 5 })).toEqual({
    seconds: 5,
    isRest: false,
  }));
