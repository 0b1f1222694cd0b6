import { regionOf, zonesOf } from './regions';

describe('region of a recipient', () => {
  it.each([
    ['a German number', '4915112345678', 'DE'],
    ['a number of the United States', '12133734253', 'US'],
    ['a Canadian number', '14165550123', 'CA'],
    ['a number of Kazakhstan', '77012345678', 'KZ'],
    ['a user id', 'BR.1234567890', 'BR'],
    ['a number of no country', '80012345678', ''],
  ])('is the country of %s', (_name, recipient, expected) => expect(regionOf(recipient)).toBe(expected));

  it('has all time zones of the country', () => {
    expect(zonesOf('IN', 'UTC')).toHaveLength(1);
    expect(zonesOf('US', 'UTC')).toEqual(expect.arrayContaining(['America/New_York', 'Pacific/Honolulu']));
  });

  it('has the given time zone if the country has none', () => {
    expect(zonesOf('', 'Europe/Berlin')).toEqual(['Europe/Berlin']);
    expect(zonesOf('XK', 'Europe/Berlin')).toEqual(['Europe/Berlin']);
    expect(zonesOf('', 'Moon/Base')).toEqual(['UTC']);
  });
});
