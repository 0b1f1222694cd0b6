// @ts-check
import { STOP_WITHIN_MS } from '@switchboard/platform';
import { STOP_GRACE_MS } from '../lib/services.mjs';

test('the stop grace period covers the longest request', () => {
  expect(STOP_GRACE_MS).toBeGreaterThan(STOP_WITHIN_MS);
});
