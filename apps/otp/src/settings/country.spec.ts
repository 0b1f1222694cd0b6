import { countryOf, isCountry } from './country';

it.each([
  ['919812345678', 'IN'],
  ['12133734253', 'US'],
  ['14165550123', 'CA'],
  ['18762345678', 'JM'],
  ['447400123456', 'GB'],
])('%s is a number of %s', (phone, country) => expect(countryOf(phone)).toBe(country));

it('does not guess the country of what is no number', () => expect(countryOf('99912345678')).toBeUndefined());

it('knows codes of countries from other words', () =>
  expect([isCountry('IN'), isCountry('XX')]).toEqual([true, false]));
