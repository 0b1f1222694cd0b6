import { newId } from '@switchboard/contracts';
import { type RunningOtp, startOtp } from './support/start-otp';

let otp: RunningOtp;
beforeAll(async () => {
  otp = await startOtp();
}, 120_000);
afterAll(() => otp.stop(), 120_000);

const newOwner = (phone = '919812345678') => ({ accountId: newId('acc'), phone });

it('verifies the right code', async () => {
  const owner = newOwner();
  await otp.storeCode(owner, 'Ab12Cd');
  expect(await otp.verify(owner, 'Ab12Cd')).toEqual({ verified: true });
});

it('verifies exactly one of 200 concurrent right attempts', async () => {
  const owner = newOwner();
  await otp.storeCode(owner, '482913');
  const answers = await Promise.all(Array.from({ length: 200 }, () => otp.verify(owner, '482913')));
  expect(answers.filter((answer) => 'verified' in answer)).toEqual([{ verified: true }]);
});

it('counts no failure for a code repeated within a minute', async () => {
  const owner = { ...newOwner(), clientId: 'key_a' };
  const age = (seconds: number) =>
    otp.dataSource.query(
      'UPDATE codes SET verified_at = verified_at - make_interval(secs => $2) WHERE account_id = $1',
      [owner.accountId, seconds],
    );
  await otp.storeCode(owner, '482913');
  expect(await otp.verify(owner, '482913')).toEqual({ verified: true });
  for (let repeat = 0; repeat < 7; repeat += 1) {
    if (repeat === 6) await age(45);
    expect(await otp.verify(owner, '482913')).toMatchObject({
      code: 'OTP_INVALID',
      extra: { verified: false, attemptsRemaining: 5 },
    });
  }
  expect(await otp.verify({ ...owner, clientId: 'key_b' }, '482913')).toMatchObject({
    extra: { attemptsRemaining: 4 },
  });
  expect(await otp.verify(owner, '000000')).toMatchObject({ extra: { attemptsRemaining: 3 } });
  await age(16);
  expect(await otp.verify(owner, '482913')).toMatchObject({ extra: { attemptsRemaining: 2 } });
});

it('verifies a right code after four wrong ones', async () => {
  const owner = newOwner();
  await otp.storeCode(owner, '482913');
  for (const attemptsRemaining of [4, 3, 2, 1]) {
    expect(await otp.verify(owner, '000000')).toMatchObject({
      code: 'OTP_INVALID',
      extra: { verified: false, attemptsRemaining },
    });
  }
  expect(await otp.verify(owner, '482913')).toEqual({ verified: true });
});

it('replaces the code on a resend', async () => {
  const owner = newOwner();
  await otp.storeCode(owner, '111111');
  await otp.storeCode(owner, '222222');
  expect(await otp.verify(owner, '111111')).toMatchObject({ code: 'OTP_INVALID' });
  expect(await otp.verify(owner, '222222')).toEqual({ verified: true });
});

it('rejects codes of another account or phone', async () => {
  const owner = newOwner();
  await otp.storeCode(owner, '482913');
  expect(await otp.verify(newOwner(), '482913')).toMatchObject({ code: 'OTP_INVALID' });
  expect(await otp.verify({ ...owner, phone: '919812345679' }, '482913')).toMatchObject({ code: 'OTP_INVALID' });
  expect(await otp.verify(owner, '482913')).toEqual({ verified: true });
});
