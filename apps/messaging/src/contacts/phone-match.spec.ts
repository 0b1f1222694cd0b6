import { phoneMatchKey } from './phone-match';

describe('the match key of a phone number', () => {
  it.each([
    ['Brazil, with and without the ninth digit', '5511987654321', '551187654321'],
    ['Mexico, with and without the 1', '5215512345678', '525512345678'],
    ['Argentina, with and without the 9', '5491123456789', '541123456789'],
  ])('is one for %s', (_title, one, other) => {
    expect(phoneMatchKey(one)).toBe(phoneMatchKey(other));
  });

  it.each([
    ['landlines of Brazil, which have eight digits', '551132654321', '5511932654321'],
    ['numbers of other countries', '919812345678', '9198123456789'],
    ['numbers of Mexico of another length', '52155123456', '5255123456'],
  ])('keeps apart %s', (_title, one, other) => {
    expect(phoneMatchKey(one)).not.toBe(phoneMatchKey(other));
  });

  it.each(['15550783881', '919812345678', '4915112345678', '551132654321'])('is the number itself otherwise: %s', (phone) => {
    expect(phoneMatchKey(phone)).toBe(phone);
  });
});
