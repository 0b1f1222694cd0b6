import { closingOf, openingOf } from './quiet-hours';

const NIGHT = { from: '20:00', to: '08:00', timeZone: 'Asia/Kolkata' };
const at = (time: string): number => Date.parse(time);
const opening = (region: string, time: string, quiet = NIGHT): string =>
  new Date(openingOf(region, quiet, at(time))).toISOString().slice(0, 16);

describe('quiet hours', () => {
  it.each([
    ['a moment before they start', '2026-01-15T18:59:59Z', '2026-01-15T18:59'],
    ['their first minute', '2026-01-15T19:00:00Z', '2026-01-16T07:00'],
    ['midnight', '2026-01-15T23:00:00Z', '2026-01-16T07:00'],
    ['their last second', '2026-01-16T06:59:59Z', '2026-01-16T07:00'],
    ['their end', '2026-01-16T07:00:00Z', '2026-01-16T07:00'],
  ])('that include midnight apply in Germany at %s', (_name, time, expected) =>
    expect(opening('DE', time)).toBe(expected),
  );

  it('apply within a day', () => {
    const siesta = { ...NIGHT, from: '13:00', to: '15:30' };
    expect(opening('DE', '2026-01-15T11:59:00Z', siesta)).toBe('2026-01-15T11:59');
    expect(opening('DE', '2026-01-15T12:00:00Z', siesta)).toBe('2026-01-15T14:30');
    expect(opening('DE', '2026-01-15T14:30:00Z', siesta)).toBe('2026-01-15T14:30');
  });

  it.each([
    ['India, half an hour', 'IN', '2026-01-15T20:00:00Z', '2026-01-16T02:30'],
    ['Nepal, a quarter of an hour', 'NP', '2026-01-15T20:00:00Z', '2026-01-16T02:15'],
  ])('follow a zone with an offset: %s', (_name, region, time, expected) =>
    expect(opening(region, time)).toBe(expected),
  );

  it.each([
    ['spring', '2026-03-28T22:00:00Z', '2026-03-29T06:00'],
    ['autumn', '2026-10-24T22:00:00Z', '2026-10-25T07:00'],
  ])('end at 08:00 on the clock in the night of the time change in %s', (_name, time, expected) =>
    expect(opening('DE', time)).toBe(expected),
  );

  it('end after the gap if the clock skips their end', () => {
    const short = { ...NIGHT, to: '02:30' };
    const end = openingOf('DE', short, at('2026-03-28T22:00:00Z'));
    expect(end).toBeGreaterThanOrEqual(at('2026-03-29T01:00:00Z'));
    expect(end).toBeLessThanOrEqual(at('2026-03-29T01:30:00Z'));
  });

  it('apply in each zone of the United States', () => {
    // 08:00 in New York, 02:00 in Honolulu.
    expect(opening('US', '2026-01-15T13:00:00Z')).toBe('2026-01-15T18:00');
    expect(opening('US', '2026-01-15T18:00:00Z')).toBe('2026-01-15T18:00');
    // 20:00 in New York, 14:00 in Honolulu.
    expect(opening('US', '2026-01-16T01:00:00Z')).toBe('2026-01-16T18:00');
  });

  it('of 13 hours leave an hour per day in Russia', () => {
    const longest = { ...NIGHT, from: '19:00', to: '08:00' };
    const start = openingOf('RU', longest, at('2026-01-15T12:00:00Z'));
    expect(new Date(start).toISOString()).toBe('2026-01-16T06:00:00.000Z');
    expect(closingOf('RU', longest, start)).toBe(at('2026-01-16T07:00:00Z'));
  });

  it('use the time zone of the account for an unknown country', () => {
    expect(opening('', '2026-01-15T15:00:00Z')).toBe('2026-01-16T02:30');
    expect(opening('XK', '2026-01-15T15:00:00Z')).toBe('2026-01-16T02:30');
    expect(opening('', '2026-01-15T21:00:00Z', { ...NIGHT, timeZone: 'Moon/Base' })).toBe('2026-01-16T08:00');
  });

  it('start at the first zone that shows their start', () => {
    expect(closingOf('DE', NIGHT, at('2026-01-15T12:00:00Z'))).toBe(at('2026-01-15T19:00:00Z'));
    expect(closingOf('US', NIGHT, at('2026-01-15T18:00:00Z'))).toBe(at('2026-01-16T01:00:00Z'));
  });
});
