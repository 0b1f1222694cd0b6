import { offerEndOf } from './offer-end';

describe('offerEndOf', () => {
  it.each([
    ['2030-01-31T18:00:00Z', 1_896_112_800_000],
    ['2030-01-31T18:00+05:30', 1_896_093_000_000],
    ['1896112800000', 1_896_112_800_000],
    [1_896_112_800_000, 1_896_112_800_000],
  ])('accepts %j', (value, end) => expect(offerEndOf(value)).toBe(end));

  it.each([
    '2030-02-30T10:00:00Z',
    '2030-13-01T10:00:00Z',
    '2030-01-31T18:00:00',
    '2030-01-31',
    '1896112800',
    '',
    true,
    null,
  ])('rejects %j', (value) => expect(offerEndOf(value)).toBeUndefined());
});
