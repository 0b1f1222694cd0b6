import { AppError, newId, setOtpSettingsV1 } from '@switchboard/contracts';
import { eventually } from '@switchboard/testing';
import { type RunningOtp, startOtp } from './support/start-otp';

let otp: RunningOtp;
beforeAll(async () => {
  otp = await startOtp();
}, 120_000);
afterAll(() => otp.stop(), 120_000);

/** Runs `count` sends, 25 at a time. */
async function inLanes(count: number, send: (index: number) => Promise<object>): Promise<object[]> {
  const answers: object[] = [];
  let begun = 0;
  const lane = async (): Promise<void> => {
    while (begun < count) answers.push(await send((begun += 1) - 1));
  };
  await Promise.all(Array.from({ length: 25 }, lane));
  return answers;
}

const codesOf = (answers: object[]): string[] =>
  answers.map((answer) => (answer instanceof AppError ? answer.code : 'sent'));

it('allows five of 20 concurrent sends to a phone per ten minutes', async () => {
  const owner = { accountId: await otp.newAccount(), phone: '919812345678' };
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_unused, index) => otp.send(owner, String(100_000 + index))),
  );
  expect(codesOf(answers).filter((code) => code === 'sent')).toHaveLength(5);
  expect(codesOf(answers).filter((code) => code === 'OTP_TOO_MANY_SENDS')).toHaveLength(15);
  const refusal = (await otp.send(owner, '482913')) as AppError;
  expect(refusal).toMatchObject({ code: 'OTP_TOO_MANY_SENDS', status: 429 });
  expect(refusal.retryAfterSeconds).toBeGreaterThan(590);
  expect(refusal.retryAfterSeconds).toBeLessThanOrEqual(600);
  await otp.dataSource.query(
    "UPDATE codes SET sent_at = ARRAY(SELECT at - interval '601 seconds' FROM unnest(sent_at) AS at) WHERE account_id = $1",
    [owner.accountId],
  );
  expect(codesOf([await otp.send(owner, '482913')])).toEqual(['sent']);
  // Credits are spent shortly after the reply, and the next test counts them.
  await eventually(() => expect(otp.peers.spent()).toBe(6));
});

it('counts the sends to a phone per account', async () => {
  const phone = '919812345677';
  const before = otp.peers.spent();
  const [one, other] = [await otp.newAccount(), await otp.newAccount()];
  for (let sends = 0; sends < 5; sends += 1) await otp.send({ accountId: one, phone }, '482913');
  expect(codesOf([await otp.send({ accountId: one, phone }, '482913')])).toEqual(['OTP_TOO_MANY_SENDS']);
  const answers: object[] = [];
  for (let sends = 0; sends < 6; sends += 1) answers.push(await otp.send({ accountId: other, phone }, '482913'));
  expect(codesOf(answers)).toEqual([...Array.from({ length: 5 }, () => 'sent'), 'OTP_TOO_MANY_SENDS']);
  await eventually(() => expect(otp.peers.spent() - before).toBe(10));
});

it('stops sends to sequential numbers at a configurable limit', async () => {
  const accountId = await otp.newAccount();
  const before = otp.peers.spent();
  const answers = await inLanes(1_000, (index) =>
    otp.send({ accountId, phone: String(447911120000 + index) }, '482913'),
  );
  const codes = codesOf(answers);
  process.stdout.write(
    `1,000 sends to numbers in sequence: ${codes.filter((code) => code === 'sent').length} went out\n`,
  );
  expect(codes.filter((code) => code === 'sent')).toHaveLength(100);
  expect(codes.filter((code) => code === 'OTP_TOO_MANY_SENDS')).toHaveLength(900);
  await eventually(() => expect(otp.peers.spent() - before).toBe(100));
  const refusal = (await otp.send({ accountId, phone: '447911129999' }, '482913')) as AppError;
  expect(refusal.retryAfterSeconds).toBeGreaterThan(3_500);
  expect(refusal.retryAfterSeconds).toBeLessThanOrEqual(3_600);
  expect(refusal.message).toContain(
    'at most 100 an hour to numbers that differ in their last four digits only (account setting sendsPerPrefix)',
  );
  expect(codesOf([await otp.send({ accountId, phone: '447911130000' }, '482913')])).toEqual(['sent']);
  await otp.gateway.request(setOtpSettingsV1, { accountId, sendsPerPrefix: 102 });
  const more = await Promise.all(
    Array.from({ length: 5 }, (_unused, index) =>
      otp.send({ accountId, phone: String(447911125000 + index) }, '482913'),
    ),
  );
  expect(codesOf(more).filter((code) => code === 'sent')).toHaveLength(2);
  const age = (seconds: number) =>
    otp.dataSource.query(
      'UPDATE prefixes SET sent_at = ARRAY(SELECT at - make_interval(secs => $2) FROM unnest(sent_at) AS at) WHERE account_id = $1',
      [accountId, seconds],
    );
  // The limit still applies within the hour.
  await age(3_000);
  expect(codesOf([await otp.send({ accountId, phone: '447911129999' }, '482913')])).toEqual(['OTP_TOO_MANY_SENDS']);
  await age(601);
  expect(codesOf([await otp.send({ accountId, phone: '447911129999' }, '482913')])).toEqual(['sent']);
}, 120_000);

it('ignores sends of other accounts and sends never submitted', async () => {
  const [one, other] = [await otp.newAccount(), await otp.newAccount()];
  await otp.gateway.request(setOtpSettingsV1, { accountId: one, sendsPerPrefix: 1 });
  otp.peers.balance = 0;
  expect(codesOf([await otp.send({ accountId: one, phone: '919700000001' }, '482913')])).toEqual([
    'INSUFFICIENT_CREDITS',
  ]);
  otp.peers.balance = 1_000;
  expect(codesOf([await otp.send({ accountId: one, phone: '919700000002' }, '482913')])).toEqual(['sent']);
  expect(codesOf([await otp.send({ accountId: one, phone: '919700000003' }, '482913')])).toEqual([
    'OTP_TOO_MANY_SENDS',
  ]);
  expect(codesOf([await otp.send({ accountId: other, phone: '919700000003' }, '482913')])).toEqual(['sent']);
});

it('stores nothing for a send rejected by a limit', async () => {
  const owner = { accountId: await otp.newAccount(), phone: '919812345678' };
  await otp.gateway.request(setOtpSettingsV1, { accountId: owner.accountId, sendsPerPrefix: 1 });
  await otp.send(owner, '111111');
  const messageId = newId('msg');
  expect(codesOf([await otp.send(owner, '222222', { messageId })])).toEqual(['OTP_TOO_MANY_SENDS']);
  expect(await otp.dataSource.query('SELECT 1 FROM sends WHERE message_id = $1', [messageId])).toEqual([]);
  expect(await otp.verify(owner, '222222')).toMatchObject({ code: 'OTP_INVALID' });
});
