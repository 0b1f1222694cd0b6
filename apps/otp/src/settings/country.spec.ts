import { countryOf, isCountry } from './country';

it.each([
  ['919812345678', 'IN'],
  ['12133734253', 'US'],
  ['14165550123', 'CA'],
  ['18762345678', 'JM'],
  ['447400123456', 'GB'],
])('finds the country of %s: %s', (phone, country) => expect(countryOf(phone)).toBe(country));

it('returns undefined for an invalid number', () => expect(countryOf('99912345678')).toBeUndefined());

it('recognises only ISO country codes', () => expect([isCountry('IN'), isCountry('XX')]).toEqual([true, false]));
