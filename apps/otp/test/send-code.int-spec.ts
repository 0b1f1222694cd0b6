import {
  AppError,
  codeUndeliveredV1,
  newId,
  setOtpSettingsV1,
  type SendMessageCommand,
  templateContentChangedV1,
} from '@switchboard/contracts';
import { eventually } from '@switchboard/testing';
import { Peers, verificationTemplate } from './support/peers';
import { type RunningOtp, type Sent, startOtp } from './support/start-otp';

let otp: RunningOtp;
beforeAll(async () => {
  otp = await startOtp();
}, 120_000);
afterAll(() => otp.stop(), 120_000);
beforeEach(() =>
  Object.assign(otp.peers, {
    template: verificationTemplate,
    balance: 1_000,
    onSend: undefined,
    onReserve: undefined,
    onGetSend: undefined,
  } satisfies Partial<Peers>),
);

let phones = 919812300000;
const newOwner = async () => ({ accountId: await otp.newAccount(), phone: String((phones += 10_000)) });
const accepted = (sent: Sent) => {
  if (sent instanceof AppError) throw sent;
  return sent;
};
const chosen = { name: verificationTemplate.name, language: 'en_US' };
const creditOf = (messageId: string) => otp.peers.credits.get(messageId.replace('msg_', 'otp_'));
const failed = () => ({ state: 'failed' as const, upstreamId: null, error: null });
const unknown = () => ({ state: 'unknown' as const, upstreamId: null, error: null });
/** Makes the send due, as if its submission period had passed. */
const letTimePass = (messageId: string) =>
  otp.dataSource.query("UPDATE sends SET due_at = now() - interval '1 second' WHERE message_id = $1", [messageId]);
const stateOf = async (messageId: string): Promise<string> =>
  (await otp.dataSource.query<[{ state: string }]>('SELECT state FROM sends WHERE message_id = $1', [messageId]))[0]
    .state;
const settledAs = (messageId: string, state: string) =>
  eventually(async () => expect(await stateOf(messageId)).toBe(state));

it('sends the code as a secret message and returns balance and expiry', async () => {
  const owner = await newOwner();
  const messageId = newId('msg');
  const before = Date.now();
  const sent = accepted(await otp.send(owner, '482913', { messageId, expiryMinutes: 5, senderId: 'key_1' }));
  expect(sent).toMatchObject({ id: messageId, upstreamId: `wamid.${messageId}`, creditsRemaining: 999 });
  expect(Math.abs(Date.parse(sent.expiresAt) - before - 300_000)).toBeLessThan(5_000);
  const code = [{ type: 'text', text: '482913' }];
  expect(otp.peers.sent.at(-1)).toMatchObject({
    accountId: owner.accountId,
    isSecret: true,
    senderId: 'key_1',
    message: {
      to: owner.phone,
      type: 'template',
      template: {
        name: 'verification_code',
        language: { code: 'en_US' },
        components: [
          { type: 'body', parameters: code },
          { type: 'button', sub_type: 'url', index: '0', parameters: code },
        ],
      },
    },
  });
  await eventually(() => expect(creditOf(messageId)).toBe('settled'));
  expect(await otp.verify(owner, '482913')).toEqual({ verified: true });
});

it("sends the account's template in its language", async () => {
  const owner = await newOwner();
  otp.peers.template = { ...verificationTemplate, name: 'second_factor', language: 'pt_BR' };
  const template = { name: 'second_factor', language: 'pt_BR' };
  await otp.gateway.request(setOtpSettingsV1, { accountId: owner.accountId, template });
  accepted(await otp.send(owner, '482913'));
  expect(otp.peers.question).toMatchObject({ accountId: owner.accountId, ...template });
  expect(otp.peers.sent.at(-1)).toMatchObject({
    message: { template: { name: 'second_factor', language: { code: 'pt_BR' } } },
  });
});

it('fills in the code, then the validity in minutes', async () => {
  const components = [{ type: 'BODY', text: '{{1}} is your code for {{2}} minutes.' }];
  otp.peers.template = { ...verificationTemplate, category: 'UTILITY', components };
  for (const [expiryMinutes, minutes] of [
    [7, '7'],
    [undefined, '10'],
  ] as const) {
    accepted(await otp.send(await newOwner(), '482913', { expiryMinutes }));
    const parameters = ['482913', minutes].map((text) => ({ type: 'text', text }));
    expect(otp.peers.sent.at(-1)).toMatchObject({
      message: { template: { components: [{ type: 'body', parameters }] } },
    });
  }
});

it('replaces the old code on a new send, except while locked', async () => {
  const owner = await newOwner();
  accepted(await otp.send(owner, '111111'));
  accepted(await otp.send(owner, '222222'));
  for (const wrong of ['111111', '000000', '000000', '000000', '000000'])
    expect(await otp.verify(owner, wrong)).toMatchObject({ code: 'OTP_INVALID' });
  expect(await otp.send(owner, '333333')).toMatchObject({ code: 'OTP_MAX_ATTEMPTS' });
  expect(await otp.verify(owner, '222222')).toMatchObject({ code: 'OTP_MAX_ATTEMPTS' });
});

it('verifies a code sent twice only once', async () => {
  const owner = await newOwner();
  accepted(await otp.send(owner, '482913'));
  otp.peers.onSend = unknown;
  expect(await otp.send(owner, '482913')).toMatchObject({ code: 'UPSTREAM_TIMEOUT' });
  expect(await otp.verify(owner, '482913')).toEqual({ verified: true });
  expect(await otp.verify(owner, '482913')).toMatchObject({ code: 'OTP_INVALID' });
});

it('keeps the earlier code and charges nothing for a rejected send', async () => {
  const owner = await newOwner();
  const messageId = newId('msg');
  accepted(await otp.send(owner, '111111'));
  let creditAtSend: unknown;
  otp.peers.onSend = () => {
    creditAtSend = creditOf(messageId);
    return failed();
  };
  expect(await otp.send(owner, '222222', { messageId })).toMatchObject({ code: 'UPSTREAM_ERROR' });
  expect(creditAtSend).toBe('held');
  await eventually(() => expect(creditOf(messageId)).toBe('refunded'));
  expect(await otp.send(owner, '222222', { messageId })).toMatchObject({ code: 'UPSTREAM_ERROR' });
  expect(await otp.verify(owner, '222222')).toMatchObject({ code: 'OTP_INVALID' });
  expect(await otp.verify(owner, '111111')).toEqual({ verified: true });
});

it('accepts both codes while the outcome of a send is unknown', async () => {
  const [owner, other] = [await newOwner(), await newOwner()];
  const messageId = newId('msg');
  for (const each of [owner, other]) accepted(await otp.send(each, '111111'));
  otp.peers.onSend = unknown;
  expect(await otp.send(owner, '222222', { messageId })).toMatchObject({ code: 'UPSTREAM_TIMEOUT' });
  expect(await otp.send(other, '222222')).toMatchObject({ code: 'UPSTREAM_TIMEOUT' });
  expect(await otp.verify(other, '111111')).toEqual({ verified: true });
  expect(await otp.verify(other, '222222')).toEqual({ verified: true });
  otp.peers.sends.set(messageId, { state: 'sent', upstreamId: 'wamid.late', error: null });
  await letTimePass(messageId);
  await settledAs(messageId, 'accepted');
  await eventually(() => expect(creditOf(messageId)).toBe('settled'));
  expect(await otp.verify(owner, '111111')).toMatchObject({ code: 'OTP_INVALID' });
  expect(await otp.verify(owner, '222222')).toEqual({ verified: true });
});

it.each([
  ['failed', 'failed', 'refunded'],
  ['none', 'abandoned', 'refunded'],
] as const)('refunds a send later found %s and voids its code', async (state, settled, credit) => {
  const owner = await newOwner();
  const messageId = newId('msg');
  otp.peers.onSend = unknown;
  expect(await otp.send(owner, '222222', { messageId })).toMatchObject({ code: 'UPSTREAM_TIMEOUT' });
  if (state === 'none') otp.peers.sends.delete(messageId);
  else otp.peers.sends.set(messageId, { state, upstreamId: null, error: null });
  await letTimePass(messageId);
  await settledAs(messageId, settled);
  await eventually(() => expect(creditOf(messageId)).toBe(credit));
  expect(await otp.verify(owner, '222222')).toMatchObject({ code: 'OTP_INVALID' });
});

it('leaves a send open while messaging does not know its outcome', async () => {
  const owner = await newOwner();
  const messageId = newId('msg');
  otp.peers.onSend = unknown;
  await otp.send(owner, '222222', { messageId });
  let asked = 0;
  otp.peers.onGetSend = () => void (asked += 1);
  await letTimePass(messageId);
  await eventually(() => expect(asked).toBeGreaterThan(0));
  expect(await stateOf(messageId)).toBe('open');
  expect(creditOf(messageId)).toBe('held');
});

it('continues the send when the command is repeated after a crash', async () => {
  const owner = await newOwner();
  const messageId = newId('msg');
  const first = accepted(await otp.send(owner, '482913', { messageId }));
  // State after a crash at each step: before the outcome was stored, and before anything was reserved.
  await otp.dataSource.query(
    "UPDATE sends SET state = 'open', upstream_id = NULL, settled_at = NULL WHERE message_id = $1",
    [messageId],
  );
  expect(accepted(await otp.send(owner, '482913', { messageId }))).toEqual(first);
  expect(accepted(await otp.send(owner, '482913', { messageId }))).toEqual(first);
  expect(otp.peers.balance).toBe(999);
  expect(
    new Set(
      otp.peers.sent
        .filter(({ accountId }) => accountId === owner.accountId)
        .map(({ messageId: id }: SendMessageCommand) => id),
    ).size,
  ).toBe(1);
  const [{ tries }] = await otp.dataSource.query<[{ tries: number }]>(
    'SELECT cardinality(sent_at) AS tries FROM codes WHERE account_id = $1',
    [owner.accountId],
  );
  expect(tries).toBe(1);
});

it('sends once for ten identical concurrent commands', async () => {
  const owner = await newOwner();
  const messageId = newId('msg');
  const answers = await Promise.all(Array.from({ length: 10 }, () => otp.send(owner, '482913', { messageId })));
  expect(new Set(answers.map((answer) => accepted(answer).upstreamId)).size).toBe(1);
  await eventually(() => expect(otp.peers.balance).toBe(999));
});

it('sends, counts and stores nothing without credits', async () => {
  const owner = await newOwner();
  accepted(await otp.send(owner, '111111'));
  otp.peers.balance = 0;
  const sent = otp.peers.sent.length;
  for (let tries = 0; tries < 6; tries += 1)
    expect(await otp.send(owner, '222222')).toMatchObject({ code: 'INSUFFICIENT_CREDITS' });
  expect(otp.peers.sent).toHaveLength(sent);
  expect(await otp.verify(owner, '222222')).toMatchObject({ code: 'OTP_INVALID' });
  expect(await otp.verify(owner, '111111')).toEqual({ verified: true });
});

it('charges a new send when an abandoned send is repeated', async () => {
  const owner = await newOwner();
  const messageId = newId('msg');
  otp.peers.onReserve = () => {
    throw new AppError('UNAVAILABLE');
  };
  expect(await otp.send(owner, '482913', { messageId })).toMatchObject({ code: 'UNAVAILABLE' });
  otp.peers.onReserve = undefined;
  await letTimePass(messageId);
  await settledAs(messageId, 'abandoned');
  await eventually(() => expect(creditOf(messageId)).toBe('refunded'));
  expect(accepted(await otp.send(owner, '482913', { messageId }))).toMatchObject({
    id: messageId,
    creditsRemaining: 999,
  });
  expect(await otp.verify(owner, '482913')).toEqual({ verified: true });
});

it('does not settle a send that was resumed in the meantime', async () => {
  const owner = await newOwner();
  const messageId = newId('msg');
  otp.peers.onReserve = () => {
    throw new AppError('UNAVAILABLE');
  };
  await otp.send(owner, '482913', { messageId });
  otp.peers.onReserve = undefined;
  let again: Promise<Sent> | undefined;
  // The command is repeated between the outcome request and its use.
  otp.peers.onGetSend = async () => {
    otp.peers.onGetSend = undefined;
    await (again = otp.send(owner, '482913', { messageId }));
  };
  await letTimePass(messageId);
  await eventually(async () => expect(accepted((await again) as Sent).id).toBe(messageId));
  await settledAs(messageId, 'accepted');
  await eventually(() => expect(creditOf(messageId)).toBe('settled'));
  expect(await otp.verify(owner, '482913')).toEqual({ verified: true });
});

it.each([
  ['is no longer approved', { status: 'FLAGGED' as const }, 'TEMPLATE_NOT_APPROVED'],
  ['has another category', { category: 'MARKETING' }, 'TEMPLATE_PARAMS_MISMATCH'],
])('fetches the template once and rejects sends soon after it %s', async (_what, change, code) => {
  const { accountId } = await newOwner();
  const toAnother = () => otp.send({ accountId, phone: String((phones += 10_000)) }, '482913');
  const before = otp.peers.templateQuestions;
  accepted(await toAnother());
  accepted(await toAnother());
  expect(otp.peers.templateQuestions - before).toBe(0);
  otp.peers.template = { ...verificationTemplate, ...change };
  await otp.gateway.publish(templateContentChangedV1, { accountId, templateName: verificationTemplate.name });
  // The cached copy would expire much later.
  await eventually(async () => expect(await toAnother()).toMatchObject({ code }), { timeoutMs: 5_000 });
});

it('rejects a missing or unapproved template and an unlisted country', async () => {
  const stranger = { accountId: newId('acc'), phone: '919812345678' };
  expect(await otp.send(stranger, '482913')).toMatchObject({
    code: 'TEMPLATE_NOT_FOUND',
    message: expect.stringContaining('template not found or not approved'),
  });
  otp.peers.template = { ...verificationTemplate, status: 'FLAGGED' };
  expect(
    await otp.gateway
      .request(setOtpSettingsV1, { accountId: stranger.accountId, template: chosen })
      .catch((error: unknown) => error),
  ).toMatchObject({ code: 'TEMPLATE_NOT_APPROVED' });
  otp.peers.template = verificationTemplate;
  const owner = await newOwner();
  await otp.gateway.request(setOtpSettingsV1, { accountId: owner.accountId, countries: ['US', 'GB'] });
  expect(await otp.send(owner, '482913')).toMatchObject({ code: 'INVALID_VALUE', details: [{ field: 'to' }] });
  const jamaica = { ...owner, phone: '18762345678' };
  expect(await otp.send(jamaica, '482913')).toMatchObject({ code: 'INVALID_VALUE' });
  accepted(await otp.send({ ...owner, phone: '12133734253' }, '482913'));
});

describe('permanently failed delivery', () => {
  const report = (accountId: string, messageId: string) =>
    otp.gateway.enqueue(codeUndeliveredV1, { accountId, messageId, upstreamId: `wamid.${messageId}` });

  it('returns the credit once, however often it is reported', async () => {
    const owner = await newOwner();
    const messageId = newId('msg');
    const sent = accepted(await otp.send(owner, '482913', { messageId }));
    for (let time = 0; time < 3; time += 1) await report(owner.accountId, messageId);
    await eventually(() => expect(creditOf(messageId)).toBe('returned'));
    await eventually(() =>
      expect(otp.logLines.filter((line) => line.includes('code.undelivered') && line.includes(messageId)).length).toBe(
        3,
      ),
    );
    expect(otp.peers.balance).toBe(1_000);
    expect(accepted(await otp.send(owner, '482913', { messageId }))).toMatchObject({
      id: messageId,
      upstreamId: sent.upstreamId,
      creditsRemaining: 1_000,
    });
    expect(await otp.verify(owner, '482913')).toEqual({ verified: true });
  });

  it('settles an open send without spending its credit', async () => {
    const owner = await newOwner();
    const messageId = newId('msg');
    otp.peers.onSend = unknown;
    expect(await otp.send(owner, '482913', { messageId })).toMatchObject({ code: 'UPSTREAM_TIMEOUT' });
    await report(owner.accountId, messageId);
    await settledAs(messageId, 'accepted');
    await eventually(() => expect(creditOf(messageId)).toBe('returned'));
    expect(otp.peers.balance).toBe(1_000);
  });

  it('changes nothing for a rejected send or a send of another account', async () => {
    const [owner, other] = [await newOwner(), await newOwner()];
    const [refused, sent] = [newId('msg'), newId('msg')];
    accepted(await otp.send(owner, '482913', { messageId: sent }));
    otp.peers.onSend = failed;
    expect(await otp.send(owner, '482913', { messageId: refused })).toMatchObject({ code: 'UPSTREAM_ERROR' });
    await report(owner.accountId, refused);
    await report(other.accountId, sent);
    for (const id of [refused, sent])
      await eventually(() =>
        expect(otp.logLines.some((line) => line.includes('code.undelivered') && line.includes(id))).toBe(true),
      );
    await eventually(() => expect([creditOf(refused), creditOf(sent)]).toEqual(['refunded', 'settled']));
    expect(otp.peers.balance).toBe(999);
  });
});
