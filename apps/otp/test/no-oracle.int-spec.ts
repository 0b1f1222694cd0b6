import { AppError, newId } from '@switchboard/contracts';
import { hmacOfCode } from '../src/codes/code-hmac';
import { PEPPER, type RunningOtp, startOtp } from './support/start-otp';

let otp: RunningOtp;
beforeAll(async () => {
  otp = await startOtp();
}, 120_000);
afterAll(() => otp.stop(), 120_000);

const newOwner = () => ({ accountId: newId('acc'), phone: '919812345678' });
type Owner = ReturnType<typeof newOwner>;

const prepare: Record<string, (owner: Owner) => Promise<unknown>> = {
  wrong: (owner) => otp.storeCode(owner, '999999'),
  'expired a second ago': (owner) => otp.storeCode(owner, '482913', { expiresInSeconds: -1 }),
  spent: async (owner) => {
    await otp.storeCode(owner, '482913');
    await otp.verify(owner, '482913');
  },
  'never sent': () => Promise.resolve(),
};

it.each(Object.keys(prepare))('returns the same error for a code that is %s', async (kind) => {
  const owner = newOwner();
  await prepare[kind]?.(owner);
  const answer = await otp.verify(owner, '482913');
  expect(answer).toBeInstanceOf(AppError);
  expect((answer as AppError).toBody()).toEqual({
    code: 'OTP_INVALID',
    message: 'invalid or expired OTP',
    extra: { verified: false, attemptsRemaining: 4 },
  });
});

it('verifies a code one second before it expires', async () => {
  const owner = newOwner();
  await otp.storeCode(owner, '482913', { expiresInSeconds: 1 });
  expect(await otp.verify(owner, '482913')).toEqual({ verified: true });
});

it('stores the code neither in the database nor in the logs', async () => {
  const owner = { ...newOwner(), accountId: await otp.newAccount() };
  await otp.send(owner, 'Zq83Kx');
  expect(
    await otp.dataSource.query('SELECT (issued[1]).hmac AS hmac FROM codes WHERE account_id = $1', [owner.accountId]),
  ).toEqual([{ hmac: hmacOfCode('Zq83Kx', owner, PEPPER) }]);
  await otp.verify(owner, 'Wy27Vp');
  await otp.verify(owner, 'Zq83Kx');
  const [{ dump }] = await otp.dataSource.query<[{ dump: string }]>(
    `SELECT string_agg(line, chr(10)) AS dump
     FROM (SELECT codes::text AS line FROM codes UNION ALL SELECT sends::text FROM sends) AS lines`,
  );
  const written = dump + otp.logLines.join('');
  expect(written).toContain(owner.accountId);
  expect(written).not.toContain(PEPPER);
  for (const code of ['Zq83Kx', 'Wy27Vp']) {
    expect(written).not.toContain(code);
    expect(written).not.toContain(Buffer.from(code).toString('hex'));
  }
  expect(otp.logLines.join('')).not.toContain(owner.phone);
});
