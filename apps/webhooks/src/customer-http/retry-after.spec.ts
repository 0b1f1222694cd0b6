import { retryAfterSeconds } from './retry-after';

const now = Date.parse('2026-03-02T10:00:00.000Z');

describe('the header Retry-After', () => {
  it.each([
    ['0', 0],
    ['120', 120],
    [' 7 ', 7],
    ['Mon, 02 Mar 2026 10:01:30 GMT', 90],
    ['Mon, 02 Mar 2026 09:00:00 GMT', 0],
  ])('%j asks for %i seconds', (header, seconds) => expect(retryAfterSeconds(header, now)).toBe(seconds));

  it.each([undefined, '', 'soon', '-5', '1.5.2', '99999999999999'])('%j asks for nothing', (header) => expect(retryAfterSeconds(header, now)).toBeNull());
});
