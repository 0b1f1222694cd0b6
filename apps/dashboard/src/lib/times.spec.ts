import { relativeTime, timeAndDay } from './times';

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/** Adds half a second, so that a slow test stays in the same unit. */
const inMs = (ms: number): string => new Date(Date.now() + ms + 500).toISOString();

describe('relativeTime', () => {
  it.each([
    [-3 * HOUR_MS, '3 hr ago'],
    [-5 * MINUTE_MS, '5 min ago'],
    [-30 * SECOND_MS, 'just now'],
    [5 * SECOND_MS, 'in under a minute'],
    [55 * SECOND_MS, 'in under a minute'],
    [2 * MINUTE_MS, 'in 2 min'],
    [24 * HOUR_MS, 'tomorrow'],
  ])('formats %d ms from now as %j', (ms, text) => {
    expect(relativeTime(inMs(ms))).toBe(text);
  });
});

describe('timeAndDay', () => {
  afterEach(() => void jest.useRealTimers());

  it.each([
    [new Date(2026, 10, 26, 0, 0), '00:00'],
    [new Date(2026, 10, 26, 23, 59), '23:59'],
    [new Date(2026, 10, 27, 4, 22), 'tomorrow 04:22'],
    [new Date(2026, 10, 25, 4, 37), 'yesterday 04:37'],
    [new Date(2026, 10, 28, 4, 22), '28 Nov 2026, 04:22'],
  ])('formats %s with the day unless it is today: %j', (at, text) => {
    jest.useFakeTimers({ now: new Date(2026, 10, 26, 4, 38) });
    expect(timeAndDay(at.toISOString())).toBe(text);
  });
});
