import { newId } from '@switchboard/contracts';
import { SendOutcomes } from '../src/sends/send-outcomes.service';
import { type RunningOtp, startOtp } from './support/start-otp';

let otp: RunningOtp;
beforeAll(async () => {
  otp = await startOtp();
}, 120_000);
afterAll(() => otp.stop(), 120_000);

it('does not settle a resumed send with an outdated outcome', async () => {
  const owner = { accountId: await otp.newAccount(), phone: '919812345678' };
  const messageId = newId('msg');
  const sendRow = async (): Promise<{ state: string; dueAt: string }> =>
    (
      await otp.dataSource.query<[{ state: string; dueAt: string }]>(
        'SELECT state, due_at::text AS "dueAt" FROM sends WHERE message_id = $1',
        [messageId],
      )
    )[0];
  otp.peers.onSend = () => ({ state: 'unknown', upstreamId: null, error: null });
  await otp.send(owner, '482913', { messageId });
  const asked = await sendRow();
  await otp.send(owner, '482913', { messageId });
  const outcomes = otp.service.app.get(SendOutcomes);
  const abandonedBy = (dueAt: string): Promise<void> =>
    outcomes.abandon({ accountId: owner.accountId, messageId, attempt: 1 }, { isReserved: true, dueAt });
  await abandonedBy(asked.dueAt);
  const again = await sendRow();
  expect(again.state).toBe('open');
  expect(again.dueAt > asked.dueAt).toBe(true);
  expect(otp.peers.credits.get(messageId.replace('msg_', 'otp_'))).toBe('held');
  await abandonedBy(again.dueAt);
  expect((await sendRow()).state).toBe('abandoned');
  expect(await otp.verify(owner, '482913')).toMatchObject({ code: 'OTP_INVALID' });
});
