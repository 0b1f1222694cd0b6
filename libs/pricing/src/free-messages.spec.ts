import { chargesWindow, freeReasonOf } from './free-messages';

const BEFORE = new Date('2026-09-30T23:59:59Z');
const AFTER = new Date('2026-10-01T00:00:00Z');

describe('freeReasonOf', () => {
  it.each([
    ['service', BEFORE, true, 'free_customer_service'],
    ['utility', BEFORE, true, 'free_customer_service'],
    ['utility', BEFORE, false, null],
    ['marketing', BEFORE, true, null],
    ['service', AFTER, true, null],
    ['utility', AFTER, true, null],
  ])('classifies %s at %s with window %s as %s', (category, at, hasWindow, reason) =>
    expect(freeReasonOf(category, { at, hasWindow, isEntryPoint: false })).toBe(reason),
  );

  it.each([BEFORE, AFTER])('returns free_entry_point for every category at %s', (at) => {
    for (const category of ['marketing', 'utility', 'service', 'authentication'])
      expect(freeReasonOf(category, { at, hasWindow: true, isEntryPoint: true })).toBe('free_entry_point');
  });
});

describe('chargesWindow', () => {
  it('is true from 2026-10-01 on', () => expect([BEFORE, AFTER].map(chargesWindow)).toEqual([false, true]));
});
