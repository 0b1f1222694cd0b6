import { parentUserIdOf, userIdOf, waIdOf, waIdOfUser } from './identity';

describe('user identity', () => {
  it.each([
    ['919812345678', 'IN'],
    ['15550783881', 'US'],
    ['14165550123', 'CA'],
    ['447400123456', 'GB'],
    ['4915112345678', 'DE'],
    ['553188887777', 'BR'],
    ['77011234567', 'KZ'],
    ['881612345678', 'ZZ'],
  ])('derives for %s a reversible user id with country %s', (waId, country) => {
    expect(userIdOf(waId)).toBe(`${country}.1${waId.padStart(19, '0')}`);
    expect(waIdOfUser(userIdOf(waId))).toBe(waId);
    expect(parentUserIdOf(waId)).toBe(`${country}.ENT.2${waId.padStart(19, '0')}`);
    expect(waIdOfUser(parentUserIdOf(waId))).toBe(waId);
  });

  it.each([
    '919812345678',
    'IN.1',
    'IN.10000000000000000000',
    'IN.2000000091981234567x',
    // The customer's own digits, but with a wrong country.
    'US.10000000919812345678',
    'US.ENT.20000000919812345678',
    'IN.ENT.10000000919812345678',
  ])('resolves no number from %s', (other) => expect(waIdOfUser(other)).toBeUndefined());

  it.each([
    ['5531988887777', '553188887777'],
    ['5511988887777', '5511988887777'],
    ['553188887777', '553188887777'],
    ['919812345678', '919812345678'],
  ])('maps %s to the WhatsApp id %s', (digits, waId) => expect(waIdOf(digits)).toBe(waId));
});
