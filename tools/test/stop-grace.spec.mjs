// @ts-check
import { STOP_WITHIN_MS } from '@switchboard/platform';
import { STOP_GRACE_MS } from '../lib/services.mjs';

test('a program is not ended while it may still be answering', () => {
  expect(STOP_GRACE_MS).toBeGreaterThan(STOP_WITHIN_MS);
});
