import { generatePassword, hashPassword, isPassword } from './passwords';

describe('passwords', () => {
  it('are stored as salted argon2id hashes', async () => {
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

  it('match in composed and decomposed Unicode', async () => {
    expect(await isPassword('Zu\u0308rich-See-2026', await hashPassword('Z\u00fcrich-See-2026'))).toBe(true);
  });

  it.each(['short', 'x'.repeat(257), ''])('rejects %j', (password) => {
    expect(() => hashPassword(password)).toThrow('a password has 12 to 256 characters');
  });

  it('do not match input of an impossible length', async () => {
    expect(await isPassword('x'.repeat(100_000), await hashPassword('correct horse battery'))).toBe(false);
  });

  it('generates long, unique passwords', () => {
    const passwords = Array.from({ length: 100 }, generatePassword);
    expect(new Set(passwords).size).toBe(100);
    for (const password of passwords) expect(password).toMatch(/^[a-zA-Z2-9]{20}$/);
  });
});
