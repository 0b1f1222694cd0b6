import { countryOf, isCountry } from './country';

it.each([
  ['919812345678', 'IN'],
  ['12133734253', 'US'],
  ['14165550123', 'CA'],
  ['18762345678', 'JM'],
  ['447400123456', 'GB'],
])('%s is a number of %s', (phone, country) => expect(countryOf(phone)).toBe(country));

it('returns undefined for an invalid number', () => expect(countryOf('99912345678')).toBeUndefined());

it('distinguishes country codes from other words', () =>
  expect([isCountry('IN'), isCountry('XX')]).toEqual([true, false]));
