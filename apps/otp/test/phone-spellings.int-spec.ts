import { AppError, setOtpSettingsV1 } from '@switchboard/contracts';
import { type RunningOtp, startOtp } from './support/start-otp';

/** One phone per row, as it is usually written and as the upstream platform reports it. */
const PHONES = [
  ['Mexico', '5215512345678', '525512345678'],
  ['Brazil', '5511987654321', '551187654321'],
  ['Argentina', '5491123456789', '541123456789'],
] as const;

let otp: RunningOtp;
beforeAll(async () => {
  otp = await startOtp();
}, 120_000);
afterAll(() => otp.stop(), 120_000);

describe.each(PHONES)('phone in %s in two formats', (_country, long, short) => {
  let accountId: string;

  beforeEach(async () => {
    accountId = await otp.newAccount();
  });

  const owners = () =>
    [
      { accountId, phone: long },
      { accountId, phone: short },
    ] as const;
  const codeOf = (answer: object): string => (answer instanceof AppError ? answer.code : 'sent');

  it('receives a code in one format and verifies it in the other', async () => {
    const [one, other] = owners();
    expect(codeOf(await otp.send(one, '482913'))).toBe('sent');
    expect(otp.peers.sent.at(-1)?.message.to).toBe(long);
    expect(await otp.verify(other, '482913')).toEqual({ verified: true });
    expect(await otp.verify(one, '482913')).toMatchObject({ code: 'OTP_INVALID' });
  });

  it('counts failures and sends over both formats', async () => {
    const [one, other] = owners();
    for (const owner of [one, other, one, other, one]) await otp.verify(owner, '000000');
    for (const owner of [one, other])
      expect(await otp.verify(owner, '000000')).toMatchObject({ code: 'OTP_MAX_ATTEMPTS' });
    accountId = await otp.newAccount();
    const [again, otherAgain] = owners();
    const codes: string[] = [];
    for (const owner of [again, otherAgain, again, otherAgain, again, otherAgain])
      codes.push(codeOf(await otp.send(owner, '482913')));
    expect(codes).toEqual([...Array.from({ length: 5 }, () => 'sent'), 'OTP_TOO_MANY_SENDS']);
  });

  it('counts sends to sequential numbers together', async () => {
    const [one, other] = owners();
    await otp.gateway.request(setOtpSettingsV1, { accountId, sendsPerPrefix: 1 });
    expect(codeOf(await otp.send(one, '482913'))).toBe('sent');
    const neighbour = { accountId, phone: `${other.phone.slice(0, -1)}0` };
    expect(codeOf(await otp.send(neighbour, '482913'))).toBe('OTP_TOO_MANY_SENDS');
  });
});
