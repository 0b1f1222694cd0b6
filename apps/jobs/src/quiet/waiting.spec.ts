import { quietSeconds, waitingAt } from './waiting';

const quiet = { from: '20:00', to: '08:00', timeZone: 'UTC' };
const HOUR = 3_600;
/** 04:00 in Germany, 08:30 in India. */
const at = Date.parse('2026-01-15T03:00:00Z');
const regions = (germany: number, india: number): { region: string; pending: number }[] => [
  { region: 'DE', pending: germany },
  { region: 'IN', pending: india },
];

describe('waiting recipients', () => {
  it('are those in quiet hours, until the first quiet hours end', () => {
    expect(waitingAt(regions(5, 7), quiet, at)).toEqual({
      waitingRecipients: 5,
      waitingUntil: '2026-01-15T07:00:00.000Z',
    });
    const night = Date.parse('2026-01-15T21:00:00Z');
    expect(waitingAt(regions(5, 7), quiet, night)).toEqual({
      waitingRecipients: 12,
      waitingUntil: '2026-01-16T02:30:00.000Z',
    });
  });

  it('are none without pending recipients in quiet hours', () =>
    expect(waitingAt(regions(0, 7), quiet, at)).toEqual({ waitingRecipients: 0, waitingUntil: null }));
});

describe('expected duration with quiet hours', () => {
  const seconds = (germany: number, india: number, rate: number, start = at): number | null =>
    quietSeconds(regions(germany, india), { quiet, at: start, rate });

  it('is the time to send without waiting recipients', () => expect(seconds(0, 100, 10)).toBe(10));

  it('includes the wait until the last quiet hours end', () => expect(seconds(100, 100, 10)).toBe(4 * HOUR + 10));

  it('continues on the next day if quiet hours start before the end', () => {
    // 11.5 hours until 20:00 in India. The rest is sent from 08:00 on the next day.
    expect(seconds(0, 13 * HOUR, 1)).toBe(24 * HOUR - HOUR / 2 + 1.5 * HOUR);
  });

  it('is null if nothing can be sent or it takes too long', () => {
    expect(seconds(1, 1, 0)).toBeNull();
    expect(seconds(1_000_000_000, 0, 1)).toBeNull();
  });
});
