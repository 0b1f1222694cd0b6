import {
  AppError,
  DEFAULT_OPT_IN_WORDS,
  eraseContactV1,
  erasePersonV1,
  getAccountSettingsV1,
  getEventRetentionV1,
  jobsErasePersonV1,
  otpErasePersonV1,
  runEventRetentionV1,
  runJobRetentionV1,
  runRetentionV1,
  setAccountSettingsV1,
  setEventRetentionV1,
  updateContactV1,
} from '@switchboard/contracts';
import { type GatewayUnderTest, startGateway } from './support/gateway';
import { type OperatorUnderTest, operatorOn } from './support/operator';

const PHONE = '919812345678';

/** Removes the explanations of counts from the output. */
const withoutLegend = (out: string): string => out.replace(/ {2}\(.*\)$/gm, '');

describe('operator store commands', () => {
  let gateway: GatewayUnderTest;
  let operator: OperatorUnderTest;
  let accountId: string;

  beforeAll(async () => {
    gateway = await startGateway({ standing: ['messaging', 'webhooks', 'jobs', 'otp'] });
    operator = operatorOn(gateway);
    ({ accountId = '' } = await operator.json<Record<string, string>>(
      'accounts',
      'create',
      '--name',
      'Shop',
      '--plan',
      'growth',
    ));
  });
  beforeEach(() => gateway.fakes.reset());
  afterAll(() => gateway.close());

  const lastAudit = async (): Promise<Record<string, unknown> | undefined> =>
    (
      await gateway.database.dataSource.query<Record<string, unknown>[]>(
        'SELECT action, target, details FROM audit_log ORDER BY created_at DESC, id DESC LIMIT 1',
      )
    )[0];

  it("show and change an account's retention", async () => {
    const settings = {
      windowPolicy: 'enforce' as const,
      optOutWords: null,
      optInWords: null,
      messageDays: 365,
      mediaDays: null,
    };
    gateway.fakes.answer(getAccountSettingsV1, () => ({ settings }));
    gateway.fakes.answer(setAccountSettingsV1, () => ({ settings }));
    expect(await operator.json('retention', 'show', '--account', accountId)).toMatchObject({
      accountId,
      messageDays: 365,
      mediaDays: 'forever',
    });
    await operator.json('retention', 'set', '--account', accountId, '--message-days', '365', '--media-days', 'forever');
    expect(gateway.fakes.of(setAccountSettingsV1)).toEqual([{ accountId, messageDays: 365, mediaDays: null }]);
    expect(await lastAudit()).toEqual({
      action: 'retention.set',
      target: accountId,
      details: { messageDays: 365, mediaDays: null },
    });
    expect((await operator.run(['retention', 'set', '--account', accountId, '--message-days', '0'])).err).toContain(
      'from 1 to 36500',
    );
  });

  it('show and change the window policy and opt-out words', async () => {
    const settings = {
      windowPolicy: 'upstream' as const,
      optOutWords: ['stopp'],
      optInWords: null,
      messageDays: null,
      mediaDays: null,
    };
    gateway.fakes.answer(getAccountSettingsV1, () => ({ settings }));
    gateway.fakes.answer(setAccountSettingsV1, () => ({ settings }));
    const expected = {
      accountId,
      windowPolicy: 'upstream',
      optOutWords: ['stopp'],
      defaultOptOutWords: false,
      optInWords: DEFAULT_OPT_IN_WORDS,
      defaultOptInWords: true,
    };
    expect(await operator.json('settings', 'show', '--account', accountId)).toMatchObject(expected);
    expect(
      await operator.json(
        'settings',
        'set',
        '--account',
        accountId,
        '--window-policy',
        'upstream',
        '--opt-out-word',
        'stopp',
        '--default-opt-in-words',
      ),
    ).toMatchObject(expected);
    const changes = { windowPolicy: 'upstream', optOutWords: ['stopp'], optInWords: null };
    expect(gateway.fakes.of(setAccountSettingsV1)).toEqual([{ accountId, ...changes }]);
    expect(await lastAudit()).toEqual({ action: 'settings.set', target: accountId, details: changes });
    expect((await operator.run(['settings', 'set', '--account', accountId])).err).toContain(
      'give at least one field to change',
    );
    expect(
      (await operator.run(['settings', 'set', '--account', accountId, '--opt-in-word', 'a', '--default-opt-in-words']))
        .err,
    ).toContain('cannot both be given');
    expect((await operator.run(['settings', 'set', '--account', accountId, '--window-policy', 'never'])).err).toContain(
      'Allowed choices are enforce, upstream',
    );
  });

  it('show and change the retention of webhook events', async () => {
    gateway.fakes.answer(getEventRetentionV1, () => ({ eventDays: null, effectiveDays: 30 }));
    expect(await operator.json('retention', 'show', '--account', accountId)).toMatchObject({
      eventDays: 30,
      eventDaysSet: 'default',
    });
    await operator.json('retention', 'set', '--account', accountId, '--message-days', '365');
    expect(gateway.fakes.of(setEventRetentionV1)).toEqual([]);
    gateway.fakes.answer(setEventRetentionV1, () => ({ eventDays: 90, effectiveDays: 30 }));
    expect(await operator.json('retention', 'set', '--account', accountId, '--event-days', '90')).toMatchObject({
      eventDays: 30,
      eventDaysSet: 90,
    });
    expect(await lastAudit()).toEqual({ action: 'retention.set', target: accountId, details: { eventDays: 90 } });
    await operator.json('retention', 'set', '--account', accountId, '--event-days', 'default');
    expect(gateway.fakes.of(setEventRetentionV1)).toEqual([
      { accountId, eventDays: 90 },
      { accountId, eventDays: null },
    ]);
    expect((await operator.run(['retention', 'set', '--account', accountId, '--event-days', 'forever'])).err).toContain(
      'from 1 to 3650, or "default"',
    );
  });

  it('delete expired data in steps and report progress', async () => {
    let steps = 0;
    let eventSteps = 0;
    let jobSteps = 0;
    gateway.fakes.answer(runEventRetentionV1, () => ({ events: 1_000, done: (eventSteps += 1) === 2 }));
    gateway.fakes.answer(runJobRetentionV1, () => ({ jobs: 2, recipients: 20_000, done: (jobSteps += 1) === 2 }));
    gateway.fakes.answer(runRetentionV1, () => ({
      messages: 5_000,
      media: 2,
      droppedMonths: steps === 2 ? ['messages_2025_01'] : [],
      done: (steps += 1) === 3,
    }));
    const { out, err } = await operator.run(['retention', 'run', '--account', accountId]);
    expect(err).toBe(
      '5000 messages and 2 files removed so far\n10000 messages and 4 files removed so far\n2 jobs with 20000 recipients removed so far\n1000 webhook events removed so far\n',
    );
    expect(out).toContain(
      'messages: 15000\nmedia: 6\ndroppedMonths: messages_2025_01\njobs: 4\nrecipients: 40000\nevents: 2000\n',
    );
    expect(await lastAudit()).toMatchObject({ action: 'retention.run', target: accountId });
  });

  it('count without changes or audit entries in a dry run', async () => {
    const before = await lastAudit();
    expect(await operator.json('retention', 'run', '--dry-run')).toMatchObject({ dryRun: true });
    await operator.json('contacts', 'erase', '--account', accountId, '--phone', PHONE, '--dry-run');
    for (const contract of [runRetentionV1, runJobRetentionV1, runEventRetentionV1])
      expect(gateway.fakes.of(contract)).toEqual([{ dryRun: true }]);
    expect(gateway.fakes.of(eraseContactV1)).toEqual([{ accountId, phone: PHONE, dryRun: true }]);
    expect(gateway.fakes.of(erasePersonV1)).toEqual([{ accountId, phone: PHONE, alsoKnownAs: [], dryRun: true }]);
    expect(await lastAudit()).toEqual(before);
  });

  it('do not erase without confirmation', async () => {
    const words = ['contacts', 'erase', '--account', accountId, '--phone', PHONE];
    const { code, err } = await operator.run(words);
    expect([code, err]).toEqual([
      1,
      'error: nothing was done: add --yes where nobody can be asked (INVALID_PARAMETER)\n',
    ]);
    for (const contract of [eraseContactV1, erasePersonV1, jobsErasePersonV1, otpErasePersonV1])
      expect(gateway.fakes.of(contract)).toEqual([]);
  });

  it('erase a contact by all identifiers', async () => {
    const steps = { events: 0, messages: 0 };
    const order: string[] = [];
    const knownAs = [PHONE, '915198123456', 'IN.77'];
    gateway.fakes.answer(erasePersonV1, () => {
      order.push('events');
      return { events: steps.events < 3 ? 7 : 1, done: (steps.events += 1) >= 3 };
    });
    gateway.fakes.answer(jobsErasePersonV1, () => {
      order.push('recipients');
      return { recipients: 3, done: true };
    });
    gateway.fakes.answer(otpErasePersonV1, () => {
      order.push('codes');
      return { rows: 5, done: true };
    });
    gateway.fakes.answer(eraseContactV1, ({ dryRun }) => {
      order.push(dryRun ? 'names' : 'messages');
      if (dryRun) return { messages: 20, media: 2, done: true, knownAs };
      return { messages: 10, media: 1, done: (steps.messages += 1) === 2 };
    });
    const { out, err } = await operator.run(['contacts', 'erase', '--account', accountId, '--phone', PHONE, '--yes']);
    expect(out).toContain('messages: 20  (messages to and from the contact, with their texts)\n');
    expect(withoutLegend(out)).toContain('events: 22\nrecipients: 3\ncodes: 5\nmessages: 20\nmedia: 2\n');
    const phones = [PHONE, '915198123456'];
    expect(gateway.fakes.of(jobsErasePersonV1)).toMatchObject([
      { accountId, phones: [...phones, 'IN.77'], dryRun: false },
    ]);
    expect(gateway.fakes.of(otpErasePersonV1)).toEqual([{ accountId, phones, dryRun: false }]);
    expect(err).toBe(
      '7 webhook events erased so far\n14 webhook events erased so far\n10 messages and 1 files erased so far\n',
    );
    expect(order).toEqual([
      'names',
      'events',
      'events',
      'events',
      'recipients',
      'codes',
      'messages',
      'messages',
      'events',
    ]);
    for (const asked of gateway.fakes.of(erasePersonV1))
      expect(asked).toEqual({ accountId, phone: PHONE, alsoKnownAs: knownAs.slice(1), dryRun: false });
    expect(await lastAudit()).toEqual({ action: 'contact.erase', target: '…5678', details: {} });
  });

  it("erase a contact's callbacks and mask stored responses", async () => {
    const db = gateway.database.dataSource;
    const other = await operator.json<Record<string, string>>(
      'accounts',
      'create',
      '--name',
      'Other',
      '--plan',
      'growth',
    );
    const keyOf = async (account = ''): Promise<string> =>
      (await operator.json('keys', 'create', '--account', account, '--name', 'server')).keyId ?? '';
    const answer = JSON.stringify({
      success: true,
      errors: [
        { index: 0, phone: PHONE },
        { index: 1, phone: '12' },
      ],
    });
    for (const client of [await keyOf(accountId), await keyOf(other.accountId)]) {
      const sql =
        "INSERT INTO idempotency (client_id, route, key, fingerprint, seed, status, body) VALUES ($1, 'POST /v1/messages/send/bulk', 'k', '', '', 201, $2)";
      await db.query(sql, [client, answer]);
    }
    const number = '"phone_number_id":"200000000000002"';
    const bodies = [
      `{${number},"wa_id":"${PHONE}"}`,
      `{${number},"user_id":"IN.77"}`,
      `{${number},"text":"ü","recipient_id" : "915198123456"}`,
      `{${number},"wa_id":"919812345679"}`,
      'no JSON: \u00ff',
      // Callbacks that must remain: a longer number, a text, another user, another account's number.
      `{${number},"wa_id":"${PHONE}0"}`,
      `{${number},"body":"${PHONE}","more":"{\\"from\\":\\"${PHONE}\\"}"}`,
      `{${number},"user_id":"INx77"}`,
      `{"phone_number_id":"2000000000000029","wa_id":"${PHONE}"}`,
    ];
    for (const [index, body] of bodies.entries())
      await db.query('INSERT INTO callback_inbox (id, body) VALUES ($1, $2)', [`cb_erase_${index}`, Buffer.from(body)]);
    gateway.fakes.answer(eraseContactV1, () => ({
      messages: 0,
      media: 0,
      done: true,
      knownAs: [PHONE, '915198123456', 'IN.77'],
    }));
    const words = ['contacts', 'erase', '--account', accountId, '--phone', PHONE, '--yes'];
    const left = async () => ({
      callbacks: (
        await db.query<{ id: string }[]>("SELECT id FROM callback_inbox WHERE id LIKE 'cb_erase_%' ORDER BY id")
      )
        .map(({ id }) => id.at(-1))
        .join(''),
      answers: (await db.query<{ body: string }[]>("SELECT body FROM idempotency WHERE key = 'k' ORDER BY body")).map(
        ({ body }) => body,
      ),
    });

    expect(await operator.json(...words, '--dry-run')).toMatchObject({ callbacks: 3, answers: 1 });
    expect(await left()).toEqual({ callbacks: '012345678', answers: [answer, answer] });
    expect(await operator.run(words)).toMatchObject({
      err: '3 callbacks erased so far\n',
      out: expect.stringMatching(/^callbacks: 3 .*\nanswers: 1 /m) as string,
    });
    expect(await left()).toEqual({
      callbacks: '345678',
      answers: expect.arrayContaining([answer, answer.replace(PHONE, '…5678')]) as string[],
    });
    expect(await operator.json(...words)).toMatchObject({ callbacks: 0, answers: 0 });
  });

  it('resume an erasure after messaging deleted the contact', async () => {
    const brazilian = '5511987654321';
    gateway.fakes.answer(eraseContactV1, () => {
      throw new AppError('NOT_FOUND');
    });
    gateway.fakes.answer(jobsErasePersonV1, () => ({ recipients: 0, done: true }));
    gateway.fakes.answer(otpErasePersonV1, () => ({ rows: 0, done: true }));
    gateway.fakes.answer(erasePersonV1, () => ({ events: 2, done: true }));
    expect(
      await operator.json('contacts', 'erase', '--account', accountId, '--phone', brazilian, '--yes'),
    ).toMatchObject({
      events: 4,
      messages: 0,
    });
    expect(gateway.fakes.of(erasePersonV1)[0]).toMatchObject({ phone: brazilian, alsoKnownAs: ['551187654321'] });
    gateway.fakes.answer(erasePersonV1, () => ({ events: 0, done: true }));
    expect(
      (await operator.run(['contacts', 'erase', '--account', accountId, '--phone', brazilian, '--yes'])).err,
    ).toContain('nothing is stored about this person');
  });

  it("change a contact's opt-outs and name", async () => {
    await operator.json(
      'contacts',
      'set',
      '--account',
      accountId,
      '--phone',
      PHONE,
      '--opted-out',
      'yes',
      '--blocked',
      'no',
      '--name',
      'Asha',
    );
    expect(gateway.fakes.of(updateContactV1)).toEqual([
      { accountId, phone: PHONE, optedOut: true, blocked: false, name: 'Asha' },
    ]);
    expect(await lastAudit()).toEqual({
      action: 'contact.set',
      target: '…5678',
      details: { optedOut: true, blocked: false, name: 'changed' },
    });
    expect((await operator.run(['contacts', 'set', '--account', accountId, '--phone', '12'])).err).toContain(
      'phone number format is invalid',
    );
  });
});
