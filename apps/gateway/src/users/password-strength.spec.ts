import fc from 'fast-check';
import { generatePassword } from './passwords';
import { requireStrongPassword } from './password-strength';

const ASHA = { email: 'asha.rao@example-shop.com', name: 'Asha Rao' };
const isRefused = (password: string): string | undefined => {
  try {
    requireStrongPassword(password, ASHA);
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
};

describe('new password', () => {
  it.each([
    '123456789012',
    'passwordpassword',
    'Password1234!',
    'P@ssw0rd2024!',
    'qwertyuiop123',
    '1q2w3e4r5t6y',
    'qazwsxedcrfv',
    'aaaaaaaaaaaa',
    'abcdefghijkl',
    'adminadminadmin',
    'letmeinletmein',
    'welcome12345',
    'iloveyouforever',
    'trustno1trustno1',
    'changeme1234',
    'administrator',
    'football2026',
    'password'.repeat(32),
    '１２３４５６７８９０１２',
  ])('rejects %j as easy to guess', (password) => {
    expect(isRefused(password)).toMatch(/^the password is too easy to guess/);
  });

  it.each([
    'asha.rao@example-shop.com',
    'Asha.Rao@example-shop.com1',
    'asharao12345',
    'AshaRao2026!',
    'example-shop1',
    'asha.rao.asha.rao',
    'switchboard12',
    'Switchboard2026!',
    'Sw1tchb0ard!!',
  ])('rejects %j as derived from its owner or the product', (password) => {
    expect(isRefused(password)).toMatch(/^the password must not be made of/);
  });

  it.each([
    'correct horse battery',
    'Zürich-See-2026',
    'mein hund heisst bello',
    'g7Kq2mPz9Xw4',
    '正しい馬の電池はとても丈夫です',
  ])('accepts %j', (password) => {
    expect(isRefused(password)).toBeUndefined();
  });

  it('accepts every generated password', () => {
    for (let index = 0; index < 50; index += 1) expect(isRefused(generatePassword())).toBeUndefined();
  });

  it('is checked in bounded time at any length', () => {
    isRefused('warm up the estimate');
    const hostile = fc.string({
      unit: fc.constantFrom(...'4@8({[<361!|0$5+7%2/aeiostlgbczx'),
      minLength: 256,
      maxLength: 256,
    });
    const costs = fc
      .sample(hostile, { numRuns: 20, seed: 7 })
      .map((password) => Math.min(...[1, 2, 3].map(() => cpuMsOf(() => isRefused(password)))));
    expect(Math.max(...costs)).toBeLessThan(100);
  });
});

function cpuMsOf(work: () => unknown): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}
