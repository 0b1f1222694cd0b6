import { AppError, newId } from '@switchboard/contracts';
import { eventually } from '@switchboard/testing';
import { type RunningOtp, startOtp } from './support/start-otp';

let otp: RunningOtp;
beforeAll(async () => {
  otp = await startOtp();
}, 120_000);
afterAll(() => otp.stop(), 120_000);

const newOwner = () => ({ accountId: newId('acc'), phone: '919812345678' });
type Owner = ReturnType<typeof newOwner>;

async function failFiveTimes(owner: Owner): Promise<void> {
  for (let tries = 0; tries < 5; tries += 1) await otp.verify(owner, '000000');
}

/** Moves the recorded failures back by the given seconds. */
const age = ({ accountId }: Owner, seconds: number) =>
  otp.dataSource.query(
    `UPDATE codes SET failed_at = ARRAY(SELECT failed - make_interval(secs => $2) FROM unnest(failed_at) AS failed) WHERE account_id = $1`,
    [accountId, seconds],
  );

it('evaluates only five of 1,000 concurrent wrong attempts', async () => {
  const owner = newOwner();
  await otp.storeCode(owner, '482913');
  const answers = await Promise.all(
    Array.from({ length: 1000 }, (_, index) => otp.verify(owner, String(500_000 + index))),
  );
  const codes = answers.map((answer) => ('code' in answer ? answer.code : 'VERIFIED'));
  expect(codes.filter((code) => code === 'OTP_INVALID')).toHaveLength(5);
  // UNAVAILABLE: the attempt arrived too late, so nothing was compared.
  const others = codes.filter((code) => code !== 'OTP_INVALID' && code !== 'UNAVAILABLE');
  expect(new Set(others)).toEqual(new Set(['OTP_MAX_ATTEMPTS']));
});

it('rejects the right code while locked, with the remaining time', async () => {
  const owner = newOwner();
  await otp.storeCode(owner, '482913');
  await failFiveTimes(owner);
  const answer = await otp.verify(owner, '482913');
  expect(answer).toMatchObject({ code: 'OTP_MAX_ATTEMPTS', status: 429, extra: { verified: false } });
  expect((answer as { retryAfterSeconds: number }).retryAfterSeconds).toBeGreaterThan(590);
  expect((answer as { retryAfterSeconds: number }).retryAfterSeconds).toBeLessThanOrEqual(600);
});

it('does not extend the lock on resends or attempts', async () => {
  const owner = newOwner();
  await failFiveTimes(owner);
  await age(owner, 595);
  await otp.storeCode(owner, '482913');
  const locked = await otp.verify(owner, '482913');
  expect(locked).toMatchObject({ code: 'OTP_MAX_ATTEMPTS' });
  expect((locked as { retryAfterSeconds: number }).retryAfterSeconds).toBeLessThanOrEqual(5);
  await age(owner, 5);
  expect(await otp.verify(owner, '482913')).toEqual({ verified: true });
});

it('counts only the failures of the last ten minutes', async () => {
  const owner = newOwner();
  for (let tries = 0; tries < 4; tries += 1) await otp.verify(owner, '000000');
  await age(owner, 601);
  expect(await otp.verify(owner, '000000')).toMatchObject({ code: 'OTP_INVALID', extra: { attemptsRemaining: 4 } });
});

it('locks a phone that never received a code', async () => {
  const owner = newOwner();
  await failFiveTimes(owner);
  expect(await otp.verify(owner, '000000')).toMatchObject({ code: 'OTP_MAX_ATTEMPTS', extra: { verified: false } });
});

it('counts failures per account and number', async () => {
  const [attacked, other] = [newOwner(), newOwner()];
  await otp.storeCode(other, '482913');
  await failFiveTimes(attacked);
  expect(await otp.verify(other, '482913')).toEqual({ verified: true });
  // Failures do not count against another number of the account either.
  const neighbour = { ...attacked, phone: '919812345679' };
  await otp.storeCode(neighbour, '482913');
  expect(await otp.verify(neighbour, '482913')).toEqual({ verified: true });
  expect(await otp.verify(attacked, '482913')).toMatchObject({ code: 'OTP_MAX_ATTEMPTS' });
});

it('sends no code while verification is locked', async () => {
  const owner = { ...newOwner(), accountId: await otp.newAccount() };
  await failFiveTimes(owner);
  const spent = otp.peers.spent();
  const messageId = newId('msg');
  const refusal = (await otp.send(owner, '482913', { messageId })) as AppError;
  expect(refusal).toMatchObject({
    code: 'OTP_MAX_ATTEMPTS',
    status: 429,
    message: expect.stringContaining('until the lock ends') as string,
  });
  expect(refusal.retryAfterSeconds).toBeGreaterThan(590);
  expect(refusal.retryAfterSeconds).toBeLessThanOrEqual(600);
  expect(await otp.dataSource.query('SELECT 1 FROM sends WHERE message_id = $1', [messageId])).toEqual([]);
  await age(owner, 601);
  expect(await otp.send(owner, '482913')).not.toBeInstanceOf(AppError);
  await eventually(() => expect(otp.peers.spent() - spent).toBe(1));
  expect(await otp.verify(owner, '482913')).toEqual({ verified: true });
});
