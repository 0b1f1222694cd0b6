import { userIdOf, waIdOf, waIdOfUser } from './identity';

describe('the identity of a user', () => {
  it('has a user id from which the simulator finds the number again', () => {
    expect(userIdOf('919812345678')).toBe('US.10000000919812345678');
    expect(waIdOfUser(userIdOf('919812345678'))).toBe('919812345678');
    for (const other of ['919812345678', 'US.1', 'US.10000000000000000000', 'US.2000000091981234567x'])
      expect(waIdOfUser(other)).toBeUndefined();
  });

  it.each([
    ['5531988887777', '553188887777'],
    ['5511988887777', '5511988887777'],
    ['553188887777', '553188887777'],
    ['919812345678', '919812345678'],
  ])('of %s is known by %s', (digits, waId) => expect(waIdOf(digits)).toBe(waId));
});
