import { newId } from '@switchboard/contracts';
import { type RunningOtp, startOtp } from './support/start-otp';

const OLD_PEPPER = 'the pepper of before, 32 characters or more';
let otp: RunningOtp;
beforeAll(async () => {
  otp = await startOtp({ OTP_PEPPER_PREVIOUS: OLD_PEPPER });
}, 120_000);
afterAll(() => otp.stop(), 120_000);

const newOwner = () => ({ accountId: newId('acc'), phone: '919812345678' });

it('returns the first result when an attempt is repeated after a crash', async () => {
  const owner = newOwner();
  const [wrong, right] = [newId('otp'), newId('otp')];
  await otp.storeCode(owner, '482913');
  for (let times = 0; times < 3; times += 1)
    expect(await otp.verify(owner, '000000', wrong)).toMatchObject({
      code: 'OTP_INVALID',
      extra: { attemptsRemaining: 4 },
    });
  for (let times = 0; times < 3; times += 1)
    expect(await otp.verify(owner, '482913', right)).toEqual({ verified: true });
  expect(await otp.verify(owner, '482913')).toMatchObject({ code: 'OTP_INVALID', extra: { attemptsRemaining: 3 } });
  expect(await otp.verify(owner, '482913', right)).toEqual({ verified: true });
});

it('returns the same result for ten concurrent deliveries of one attempt', async () => {
  const owner = newOwner();
  const attemptId = newId('otp');
  await otp.storeCode(owner, '482913');
  const answers = await Promise.all(Array.from({ length: 10 }, () => otp.verify(owner, '482913', attemptId)));
  expect(answers).toEqual(Array.from({ length: 10 }, () => ({ verified: true })));
});

it('verifies codes hashed with the current or previous pepper only', async () => {
  const owner = newOwner();
  await otp.storeCode(owner, '482913', { pepper: OLD_PEPPER });
  expect(await otp.verify(owner, '482913')).toEqual({ verified: true });
  await otp.storeCode(owner, '482913', { pepper: OLD_PEPPER, expiresInSeconds: -1 });
  expect(await otp.verify(owner, '482913')).toMatchObject({ code: 'OTP_INVALID' });
  await otp.storeCode(owner, '482913', { pepper: 'a pepper that nobody knows any more' });
  expect(await otp.verify(owner, '482913')).toMatchObject({ code: 'OTP_INVALID' });
});

it('accepts a code until a second before it expires', async () => {
  const owner = newOwner();
  await otp.storeCode(owner, '482913', { expiresInSeconds: 600 });
  const moveClock = (seconds: number) =>
    otp.dataSource.query(
      `UPDATE codes SET issued = ARRAY(SELECT ROW(send_id, hmac, expires_at - make_interval(secs => $2))::issued_code FROM unnest(issued)) WHERE account_id = $1`,
      [owner.accountId, seconds],
    );
  await moveClock(601);
  expect(await otp.verify(owner, '482913')).toMatchObject({ code: 'OTP_INVALID' });
  await moveClock(-2);
  expect(await otp.verify(owner, '482913')).toEqual({ verified: true });
});
