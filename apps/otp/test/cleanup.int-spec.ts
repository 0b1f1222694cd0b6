import { getOtpStatisticsV1, newId, otpErasePersonV1 } from '@switchboard/contracts';
import { eventually } from '@switchboard/testing';
import { deleteExpired } from '../src/cleanup/cleanup.service';
import { type RunningOtp, startOtp } from './support/start-otp';

let otp: RunningOtp;
beforeAll(async () => {
  otp = await startOtp();
}, 120_000);
afterAll(() => otp.stop(), 120_000);

const countOf = async (table: string, accountId: string): Promise<number> =>
  (
    await otp.dataSource.query<[{ count: number }]>(`SELECT count(*)::int FROM ${table} WHERE account_id = $1`, [
      accountId,
    ])
  )[0].count;

it('counts sent, failed, verified and rejected codes', async () => {
  const owner = { accountId: await otp.newAccount(), phone: '919812345678' };
  await otp.send(owner, '111111');
  await otp.verify(owner, '000000');
  await otp.verify(owner, '111111');
  await otp.send({ ...owner, phone: '919812345679' }, '222222');
  otp.peers.onSend = () => ({ state: 'failed', upstreamId: null, error: null });
  await otp.send(owner, '333333');
  otp.peers.onSend = undefined;
  const figures = { sent: 2, failed: 1, verified: 1, refused: 1, conversion: 0.5 };
  const { total, days } = await otp.gateway.request(getOtpStatisticsV1, { accountId: owner.accountId, days: 30 });
  expect(total).toEqual(figures);
  expect(days).toMatchObject([figures]);
  expect(await otp.gateway.request(getOtpStatisticsV1, { accountId: newId('acc'), days: 30 })).toEqual({
    total: { sent: 0, failed: 0, verified: 0, refused: 0, conversion: null },
    days: [],
  });
});

it('sums counts beyond the int4 range', async () => {
  const accountId = await otp.newAccount();
  await otp.dataSource.query(
    "INSERT INTO figures (account_id, day, shard, sent) SELECT $1, (now() AT TIME ZONE 'UTC')::date, shard, 2000000000 FROM generate_series(0, 1) AS shard",
    [accountId],
  );
  const { total, days } = await otp.gateway.request(getOtpStatisticsV1, { accountId, days: 30 });
  expect([total.sent, days[0]?.sent]).toEqual([4_000_000_000, 4_000_000_000]);
});

it('erases a contact but keeps the credits of open sends', async () => {
  const [owner, other] = [
    { accountId: await otp.newAccount(), phone: '919812345678' },
    { accountId: await otp.newAccount(), phone: '919812345678' },
  ];
  for (const each of [owner, other]) await otp.send(each, '111111');
  const messageId = newId('msg');
  otp.peers.onSend = () => ({ state: 'unknown', upstreamId: null, error: null });
  await otp.send(owner, '222222', { messageId });
  otp.peers.onSend = undefined;
  const request = { accountId: owner.accountId, phones: [owner.phone, '5511987654321'] };
  expect(await otp.gateway.request(otpErasePersonV1, { ...request, dryRun: true })).toEqual({ rows: 3, done: true });
  expect(await otp.gateway.request(otpErasePersonV1, { ...request, dryRun: false })).toEqual({ rows: 3, done: true });
  expect(await otp.gateway.request(otpErasePersonV1, { ...request, dryRun: false })).toEqual({ rows: 0, done: true });
  expect(await otp.verify(other, '111111')).toEqual({ verified: true });
  expect(await countOf('codes', owner.accountId)).toBe(0);
  otp.peers.sends.set(messageId, { state: 'failed', upstreamId: null, error: null });
  await otp.dataSource.query('UPDATE sends SET due_at = now() WHERE message_id = $1', [messageId]);
  await eventually(() => expect(otp.peers.credits.get(messageId.replace('msg_', 'otp_'))).toBe('refunded'));
});

it('deletes only outdated rows', async () => {
  const [old, fresh] = [
    { accountId: await otp.newAccount(), phone: '919812345678' },
    { accountId: await otp.newAccount(), phone: '919812345678' },
  ];
  for (const owner of [old, fresh]) {
    await otp.send(owner, '111111');
    await otp.verify(owner, '000000');
  }
  const age = (column: string, table: string, by = '27 hours') =>
    otp.dataSource.query(`UPDATE ${table} SET ${column} = ${column} - $2::interval WHERE account_id = $1`, [
      old.accountId,
      by,
    ]);
  await age('touched_at', 'codes');
  await age('touched_at', 'prefixes');
  await age('at', 'attempts');
  await age('settled_at', 'sends', '31 days');
  await deleteExpired(otp.dataSource);
  // The upstream platform may still report the message as undelivered.
  expect(await countOf('sends', old.accountId)).toBe(1);
  await age('settled_at', 'sends', '2 days');
  await deleteExpired(otp.dataSource);
  for (const table of ['codes', 'prefixes', 'attempts', 'sends'])
    expect([table, await countOf(table, old.accountId), await countOf(table, fresh.accountId)]).toEqual([table, 0, 1]);
});
