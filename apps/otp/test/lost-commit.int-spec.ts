import { newId } from '@switchboard/contracts';
import { eventually, startTcpProxy, type TcpProxy, testDatabaseUrl } from '@switchboard/testing';
import { type RunningOtp, startOtp } from './support/start-otp';

let database: TcpProxy;
let otp: RunningOtp;
beforeAll(async () => {
  const { hostname, port } = new URL(testDatabaseUrl());
  database = await startTcpProxy({ host: hostname, port: Number(port || 5432) });
  otp = await startOtp({}, (address) => database.through(address));
}, 120_000);
beforeEach(() => {
  otp.peers.onSend = undefined;
});
afterAll(async () => {
  await otp.stop();
  await database.close();
}, 120_000);

const CODE = '482913';

describe('verification with a lost COMMIT response', () => {
  const tryOnce = async (code: string): Promise<{ owner: { accountId: string; phone: string }; attemptId: string }> => {
    const owner = { accountId: newId('acc'), phone: '919812345678' };
    const attemptId = newId('otp');
    await otp.storeCode(owner, CODE);
    const lost = database.loseAnswer(attemptId);
    expect(await otp.verify(owner, code, attemptId)).toMatchObject({ code: 'OUTCOME_UNKNOWN' });
    await lost;
    return { owner, attemptId };
  };

  it('returns an unknown outcome, then "verified" when repeated', async () => {
    const { owner, attemptId } = await tryOnce(CODE);
    expect(await otp.verify(owner, CODE, attemptId)).toEqual({ verified: true });
    // The code is consumed: the first attempt did commit.
    expect(await otp.verify(owner, CODE)).toMatchObject({ code: 'OTP_INVALID', extra: { attemptsRemaining: 4 } });
  });

  it('counts a wrong code once and keeps the right one valid', async () => {
    const { owner, attemptId } = await tryOnce('000000');
    const refused = { code: 'OTP_INVALID', extra: { attemptsRemaining: 4 } };
    expect(await otp.verify(owner, '000000', attemptId)).toMatchObject(refused);
    expect(await otp.verify(owner, CODE)).toEqual({ verified: true });
  });
});

describe('sending a one-time code with a lost COMMIT response', () => {
  const newSend = async () => {
    const owner = { accountId: await otp.newAccount(), phone: '919812345679' };
    return { owner, messageId: newId('msg') };
  };
  const sentWith = (messageId: string) => otp.peers.sent.filter((command) => command.messageId === messageId);

  it('returns an unknown outcome after the send, never 503', async () => {
    const { owner, messageId } = await newSend();
    let lost: Promise<void> | undefined;
    otp.peers.onSend = () => {
      lost = database.loseAnswer(messageId, 'COMMIT');
      return { state: 'sent', upstreamId: 'wamid.OTP', error: null };
    };
    expect(await otp.send(owner, CODE, { messageId })).toMatchObject({ code: 'OUTCOME_UNKNOWN' });
    await lost;
    expect(await otp.send(owner, CODE, { messageId })).toMatchObject({ id: messageId, upstreamId: 'wamid.OTP' });
    expect(sentWith(messageId)).toHaveLength(1);
    expect(await otp.verify(owner, CODE)).toEqual({ verified: true });
  });

  it('sends the code once if repeated after a lost first COMMIT response', async () => {
    const { owner, messageId } = await newSend();
    const lost = database.loseAnswer(messageId, 'COMMIT');
    expect(await otp.send(owner, CODE, { messageId })).toMatchObject({ code: 'OUTCOME_UNKNOWN' });
    await lost;
    expect(sentWith(messageId)).toEqual([]);
    expect(await otp.send(owner, CODE, { messageId })).toMatchObject({ id: messageId });
    expect(sentWith(messageId)).toHaveLength(1);
    expect(await otp.verify(owner, CODE)).toEqual({ verified: true });
  });

  it('returns the rejection during a database outage and stores it later', async () => {
    const { owner, messageId } = await newSend();
    otp.peers.onSend = async () => {
      await database.refuse();
      return { state: 'failed', upstreamId: null, error: null };
    };
    expect(await otp.send(owner, CODE, { messageId })).toMatchObject({ code: 'UPSTREAM_ERROR' });
    await database.listen();
    otp.peers.onSend = undefined;
    // A repeat continues from the open send and finds the same message.
    await eventually(async () =>
      expect(await otp.send(owner, CODE, { messageId })).toMatchObject({ code: 'UPSTREAM_ERROR' }),
    );
    expect(await otp.verify(owner, CODE)).toMatchObject({ code: 'OTP_INVALID' });
  });
});
