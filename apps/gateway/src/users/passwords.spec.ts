import { generatePassword, hashPassword, isPassword } from './passwords';

describe('passwords', () => {
  it('are kept as salted argon2id hashes', async () => {
    const [first, second] = await Promise.all([
      hashPassword('correct horse battery'),
      hashPassword('correct horse battery'),
    ]);
    expect(first).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(first).not.toBe(second);
    expect(await isPassword('correct horse battery', first)).toBe(true);
    expect(await isPassword('correct horse batterz', first)).toBe(false);
    expect(await isPassword('', first)).toBe(false);
  });

  it('are the same however a keyboard composes their characters', async () => {
    expect(await isPassword('Zu\u0308rich-See-2026', await hashPassword('Z\u00fcrich-See-2026'))).toBe(true);
  });

  it.each(['short', 'x'.repeat(257), ''])('of %j are refused', (password) => {
    expect(() => hashPassword(password)).toThrow('a password has 12 to 256 characters');
  });

  it('that nobody could have set are never right', async () => {
    expect(await isPassword('x'.repeat(100_000), await hashPassword('correct horse battery'))).toBe(false);
  });

  it('that are generated are long and never twice the same', () => {
    const passwords = Array.from({ length: 100 }, generatePassword);
    expect(new Set(passwords).size).toBe(100);
    for (const password of passwords) expect(password).toMatch(/^[a-zA-Z2-9]{20}$/);
  });
});
