import {
  type CheckJobCommand,
  checkJobV1,
  getUsageV1,
  importRatesV1,
  newId,
  noteOpenSendV1,
  type SendMessageReply,
  setSpendCapV1,
} from '@switchboard/contracts';
import { query } from '@switchboard/database';
import { eventually } from '@switchboard/testing';
import { changesOf, orderUpdate, recipients, release, told } from './support/jobs';
import { CUSTOMER, type RunningMessaging, startMessaging, type TestAccount } from './support/start-messaging';

const MONTH = new Date().toISOString().slice(0, 7);
const PRICE = '0.0014';
const CHARGED = { billable: true, pricing_model: 'PMP', type: 'regular', category: 'service' };
const FREE = { billable: false, pricing_model: 'PMP', type: 'free_customer_service', category: 'service' };
const RATE = { market: 'India', currency: 'USD', amount: PRICE, validFrom: '2026-01-01', source: 'sample' };
/** Market without rates. */
const AMERICAN = '12125550123';

describe('account spend cap', () => {
  let messaging: RunningMessaging;
  let account: TestAccount;

  beforeAll(async () => {
    messaging = await startMessaging({ replicas: 2, graceSeconds: 6, upstreamTimeoutMs: 5_000 });
    messaging.templates.set(orderUpdate.name, orderUpdate);
    await messaging.gateway.request(importRatesV1, {
      replace: true,
      rates: [
        { ...RATE, category: 'service' },
        { ...RATE, category: 'utility' },
        { ...RATE, category: 'marketing', amount: '0.0118' },
        { ...RATE, market: 'Germany', category: 'utility', amount: '0.0550' },
      ],
    });
  });
  beforeEach(async () => {
    messaging.upstream.behave('accept');
    account = await messaging.addAccount();
    await messaging.writeIn(account);
  });
  afterAll(() => messaging.stop());

  const sql = <Row>(text: string, ...params: (string | string[])[]) => query<Row>(messaging.dataSource, text, params);
  const setCap = (amount: string, currency = 'USD') =>
    messaging.gateway.request(setSpendCapV1, { accountId: account.accountId, cap: { amount, currency } });
  const send = (id = newId('msg'), to = CUSTOMER): Promise<SendMessageReply> =>
    messaging.send(account.accountId, { to, text: { body: 'Hello' } }, id);
  const sendMany = async (count: number, to?: string): Promise<(SendMessageReply | { code: string })[]> => {
    const sent = await Promise.allSettled(Array.from({ length: count }, () => send(undefined, to)));
    return sent.map((each) => (each.status === 'fulfilled' ? each.value : (each.reason as { code: string })));
  };
  const accepted = (results: readonly object[]): SendMessageReply[] =>
    results.filter((result): result is SendMessageReply => 'upstreamId' in result);
  const capOf = async () =>
    (await messaging.gateway.request(getUsageV1, { accountId: account.accountId, month: MONTH, by: 'category' }))
      .spendCap;
  const reservations = async () =>
    (
      await sql<{ id: string }>(
        'SELECT message_id AS id FROM spend_reservations WHERE account_id = $1 ORDER BY 1',
        account.accountId,
      )
    ).map(({ id }) => id);
  const report = (upstreamId: string, status: string, pricing?: object) =>
    messaging.callback(account.phoneNumberId, {
      statuses: [
        { id: upstreamId, status, timestamp: String(Math.floor(Date.now() / 1_000)), ...(pricing && { pricing }) },
      ],
    });
  const notices = () => messaging.noticeEvents.filter(({ accountId }) => accountId === account.accountId);
  const sendsOf = (ids: readonly string[]) => messaging.upstream.sends.filter(({ echo }) => ids.includes(echo));

  it('is never exceeded by concurrent sends of two processes', async () => {
    await setCap('0.0141');
    const results = await sendMany(40);
    const ids = accepted(results).map(({ id }) => id);
    expect(ids).toHaveLength(10);
    expect(new Set(results.flatMap((result) => ('code' in result ? result.code : [])))).toEqual(
      new Set(['SPEND_CAP_REACHED']),
    );
    expect(
      messaging.upstream.sends.filter(({ phoneNumberId }) => phoneNumberId === account.phoneNumberId),
    ).toHaveLength(10);
    expect(await capOf()).toEqual({
      amount: '0.0141',
      currency: 'USD',
      month: MONTH,
      spent: '0.00',
      reserved: '0.014',
    });
    expect(await reservations()).toEqual(ids.toSorted());
    await expect(send()).rejects.toMatchObject({
      code: 'SPEND_CAP_REACHED',
      message: `the account's spend cap of 0.0141 USD for ${MONTH} is reached`,
    });
  });

  it('counts charged messages, and releases free and failed ones', async () => {
    await setCap('0.0056');
    const [charged, free, failed, open] = accepted(await sendMany(4)).map(({ upstreamId }) => upstreamId);
    await report(charged ?? '', 'sent', CHARGED);
    await report(charged ?? '', 'delivered');
    await report(free ?? '', 'sent', FREE);
    await report(failed ?? '', 'failed');
    await eventually(async () => expect(await capOf()).toMatchObject({ spent: PRICE, reserved: PRICE }));
    expect(accepted(await sendMany(5))).toHaveLength(2);
    // Repeated and late statuses change nothing.
    await report(charged ?? '', 'read');
    await report(free ?? '', 'delivered');
    await report(open ?? '', 'delivered');
    await report(open ?? '', 'sent', CHARGED);
    await eventually(async () => expect(await capOf()).toMatchObject({ spent: '0.0028', reserved: '0.0028' }));
  });

  it('counts a reported category with a higher rate in full', async () => {
    await setCap('0.0030');
    const { upstreamId } = await send();
    await report(upstreamId, 'delivered', { ...CHARGED, category: 'marketing' });
    await eventually(async () => expect(await capOf()).toMatchObject({ spent: '0.0118', reserved: '0.00' }));
    await expect(send()).rejects.toMatchObject({ code: 'SPEND_CAP_REACHED' });
  });

  it('counts a charge once if reported after a failure', async () => {
    await setCap('0.0056');
    const [soon, late, unpriced, free] = accepted(await sendMany(4)).map(({ upstreamId }) => upstreamId ?? '') as [
      string,
      string,
      string,
      string,
    ];
    await Promise.all([late, unpriced, free].map((id) => report(id, 'failed')));
    await eventually(async () => expect(await capOf()).toMatchObject({ spent: '0.00', reserved: PRICE }));
    // The charge of the first one arrives before or after its reservation is released.
    await report(soon, 'failed');
    for (const id of [soon, late]) {
      await Promise.all([report(id, 'delivered', CHARGED), report(id, 'delivered', CHARGED), report(id, 'failed')]);
      await report(id, 'read', CHARGED);
    }
    await report(free, 'delivered', FREE);
    await report(unpriced, 'failed');
    await report(unpriced, 'delivered');
    await eventually(async () => expect(await capOf()).toMatchObject({ spent: '0.0028', reserved: '0.00' }));
    // Only the message that was delivered without pricing is open, as soon as its last report is processed.
    await eventually(async () =>
      expect(
        await sql(
          'UPDATE spend_reservations SET settle_at = now() WHERE account_id = $1 AND NOT is_failed RETURNING 1',
          account.accountId,
        ),
      ).toHaveLength(1),
    );
    await eventually(async () => expect(await capOf()).toMatchObject({ spent: '0.0042', reserved: '0.00' }));
    expect(await reservations()).toEqual([]);
  });

  it('counts nothing for a message that stays failed', async () => {
    await setCap(PRICE);
    const { id, upstreamId } = await send();
    await report(upstreamId, 'failed');
    await eventually(async () => expect(await capOf()).toMatchObject({ spent: '0.00', reserved: '0.00' }));
    await sql("UPDATE spend_reservations SET settle_at = settle_at - interval '31 days' WHERE message_id = $1", id);
    await eventually(async () => expect(await reservations()).toEqual([]));
    expect(await capOf()).toMatchObject({ spent: '0.00', reserved: '0.00' });
  });

  it('releases a message that the platform rejects', async () => {
    await setCap(PRICE);
    messaging.upstream.behave({ refuseWith: 131026 });
    await expect(send()).rejects.toMatchObject({ code: 'INVALID_VALUE' });
    await eventually(async () => expect(await capOf()).toMatchObject({ spent: '0.00', reserved: '0.00' }));
    messaging.upstream.behave('accept');
    expect(accepted(await sendMany(2))).toHaveLength(1);
  });

  it('counts a redelivered command once, even at the cap', async () => {
    await setCap(PRICE);
    const id = newId('msg');
    const deliver = () => send(id).catch(({ code }: { code: string }) => code);
    const outcomes = await Promise.all([deliver(), deliver(), deliver()]);
    const reply = await send(id);
    // While the first delivery is in progress, the others do not know its outcome.
    expect([reply, 'UPSTREAM_TIMEOUT']).toEqual(expect.arrayContaining(outcomes));
    expect(outcomes).toContainEqual(reply);
    expect(sendsOf([id])).toHaveLength(1);
    expect(await reservations()).toEqual([id]);
  });

  it('counts messages with an unknown outcome in full', async () => {
    await setCap(PRICE);
    messaging.upstream.behave('accept-then-cut');
    await expect(send()).rejects.toMatchObject({ code: 'UPSTREAM_TIMEOUT' });
    expect(await capOf()).toMatchObject({ reserved: PRICE });
    await sql(
      "UPDATE messages SET repeatable = false, sending_since = now() - interval '1 hour' WHERE account_id = $1",
      account.accountId,
    );
    const closeIngress = messaging.openIngress();
    await eventually(async () => expect(await capOf()).toMatchObject({ spent: PRICE, reserved: '0.00' }));
    await closeIngress();
  });

  it('counts a send that the client repeats after a 504', async () => {
    await setCap(PRICE);
    const id = newId('msg');
    await messaging.gateway.request(noteOpenSendV1, {
      accountId: account.accountId,
      messageId: id,
      message: { to: CUSTOMER, type: 'text', text: { body: 'Hello' } },
    });
    expect(await reservations()).toEqual([]);
    expect(await send(id)).toMatchObject({ id });
    expect(await reservations()).toEqual([id]);
    await expect(send()).rejects.toMatchObject({ code: 'SPEND_CAP_REACHED' });
  });

  it('rejects a message without a known rate', async () => {
    await setCap('100');
    await messaging.writeIn(account, AMERICAN);
    const id = newId('msg');
    await expect(send(id, AMERICAN)).rejects.toMatchObject({
      code: 'RATE_UNKNOWN',
      message: 'there is no rate in USD for service messages to North America',
    });
    expect(sendsOf([id])).toEqual([]);
    expect(await reservations()).toEqual([]);
  });

  it("rejects a currency other than the rate card's", async () => {
    await expect(setCap('5', 'EUR')).rejects.toMatchObject({
      code: 'INVALID_VALUE',
      message: 'the rate card is in USD, not in EUR',
    });
  });

  it('uses a rate that was imported just now', async () => {
    const [market, to] = ['Brazil', '5511987650001'];
    await setCap('1');
    await messaging.writeIn(account, to);
    // One after the other, so that the broker gives some to each process.
    const sendFew = async () => [
      await sendMany(1, to),
      await sendMany(1, to),
      await sendMany(1, to),
      await sendMany(1, to),
    ];
    expect((await sendFew()).flat()).toEqual(Array(4).fill(expect.objectContaining({ code: 'RATE_UNKNOWN' })));
    await messaging.gateway.request(importRatesV1, {
      replace: false,
      rates: [{ ...RATE, market, category: 'service' }],
    });
    expect(accepted((await sendFew()).flat())).toHaveLength(4);
  });

  it('includes messages delivered earlier in the month', async () => {
    const { upstreamId } = await send();
    await report(upstreamId, 'delivered', CHARGED);
    await messaging.settled();
    expect((await setCap('1')).spendCap).toMatchObject({ spent: PRICE, reserved: '0.00' });
  });

  it('no longer applies when it is removed', async () => {
    await setCap('0');
    await expect(send()).rejects.toMatchObject({ code: 'SPEND_CAP_REACHED' });
    await messaging.gateway.request(setSpendCapV1, { accountId: account.accountId, cap: null });
    expect(await send()).toMatchObject({ upstreamId: expect.any(String) });
    expect(await reservations()).toEqual([]);
    expect(await capOf()).toBeNull();
  });

  it('raises one notice at 80 % and one at the cap', async () => {
    await setCap('0.0140');
    await Promise.all([sendMany(3), sendMany(4)]);
    expect(notices()).toEqual([]);
    await Promise.all([sendMany(10), sendMany(10)]);
    await sendMany(3);
    await messaging.settled();
    const severities = notices().map(({ notice, severity, details }) => [notice, severity, details]);
    expect(severities.at(-1)).toEqual([
      'spend_cap',
      'critical',
      expect.objectContaining({ month: MONTH, percent: 100, amount: '0.0140' }),
    ]);
    expect(severities.filter(([, severity]) => severity === 'critical')).toHaveLength(1);
    expect(severities.filter(([, severity]) => severity === 'warning').length).toBeLessThanOrEqual(1);
    await setCap('0.0280');
    await sendMany(9);
    await messaging.settled();
    expect(notices().at(-1)).toMatchObject({ severity: 'warning', details: { percent: 80, amount: '0.0280' } });
  });

  it('holds the messages of a job without losing any', async () => {
    await setCap('0.0042');
    const { task, ids } = await release(messaging, account, { recipients: recipients(5) });
    const changes = await told(messaging, task.jobId, 5);
    expect(changes.map(({ status }) => status).toSorted()).toEqual([
      'accepted',
      'accepted',
      'accepted',
      'held',
      'held',
    ]);
    expect(changes.filter(({ status }) => status === 'held')).toMatchObject(Array(2).fill({ reason: 'SPEND_CAP' }));
    expect(sendsOf(ids)).toHaveLength(3);
    await setCap('0.0070');
    const held = changes.filter(({ status }) => status === 'held').map(({ messageId }) => messageId);
    await messaging.gateway.request(getUsageV1, { accountId: account.accountId, month: MONTH, by: 'job' });
    const rest = task.recipients.filter(({ messageId }) => held.includes(messageId));
    const { task: resumed } = await release(messaging, account, { jobId: newId('job'), recipients: rest });
    expect((await told(messaging, resumed.jobId, 2)).map(({ status }) => status)).toEqual(['accepted', 'accepted']);
    expect(sendsOf(ids)).toHaveLength(5);
  });

  it('stays exact under concurrent jobs, job caps and single sends', async () => {
    await setCap('0.0280');
    const maxSpend = { amount: '0.0070', currency: 'USD' };
    const jobs = await Promise.all(
      Array.from({ length: 4 }, (_none, index) =>
        release(messaging, account, { recipients: recipients(10), ...(index % 2 === 0 && { maxSpend }) }),
      ),
    );
    const results = await sendMany(10);
    const counts = await Promise.all(
      jobs.map(async ({ task }) => {
        await told(messaging, task.jobId, 10);
        return changesOf(messaging, task.jobId).filter(({ status }) => status === 'accepted').length;
      }),
    );
    expect(accepted(results).length + counts.reduce((sum, count) => sum + count, 0)).toBe(20);
    expect([counts[0], counts[2]].every((count) => (count ?? 0) <= 5)).toBe(true);
    const [total] = await sql<{ reserved: string }>(
      "SELECT sum(reserved)::text AS reserved FROM spend_totals WHERE account_id = $1 AND month <> ''",
      account.accountId,
    );
    expect(total?.reserved).toBe('0.0280');
  });

  it('releases throttled job messages and reserves them again', async () => {
    await setCap(PRICE);
    const someone = recipients(1);
    messaging.upstream.behaveTo(someone[0]?.to ?? '', { refuseWith: 131056 });
    const { task, again } = await release(messaging, account, { recipients: someone });
    await told(messaging, task.jobId, 1);
    messaging.upstream.behaveTo(someone[0]?.to ?? '');
    await eventually(async () => {
      expect(await capOf()).toMatchObject({ reserved: '0.00' });
    });
    await again();
    expect((await told(messaging, task.jobId, 2)).at(-1)).toMatchObject({ status: 'accepted' });
    expect(await capOf()).toMatchObject({ reserved: PRICE, spent: '0.00' });
  });

  it('locks no totals for accounts without a cap', async () => {
    await send();
    await release(messaging, account, { recipients: recipients(2) }).then(({ task }) => told(messaging, task.jobId, 2));
    expect(await sql('SELECT 1 FROM spend_totals WHERE account_id = $1', account.accountId)).toEqual([]);
    expect(await reservations()).toEqual([]);
  });

  it('settles unreported messages in full after 31 days', async () => {
    await setCap(PRICE);
    const { id } = await send();
    await sql("UPDATE spend_reservations SET settle_at = settle_at - interval '31 days' WHERE message_id = $1", id);
    await eventually(async () => expect(await capOf()).toMatchObject({ spent: PRICE, reserved: '0.00' }));
  });

  describe('when a job is resumed', () => {
    const message = { type: 'template' as const, template: { name: orderUpdate.name, language: { code: 'en_US' } } };
    const resume = (jobId: string, more: Partial<CheckJobCommand> = {}) =>
      messaging.gateway.request(checkJobV1, {
        accountId: account.accountId,
        message: { ...message, from: account.phoneNumber },
        recipients: [{ components: recipients(1)[0]?.components ?? [] }],
        jobId,
        ...more,
      });
    const cap = (amount: string) => ({ amount, currency: 'USD' });

    it('requires a job cap that covers another message', async () => {
      const maxSpend = cap('0.0042');
      const { task } = await release(messaging, account, { recipients: recipients(5), maxSpend });
      await told(messaging, task.jobId, 5);
      await expect(resume(task.jobId, { maxSpend })).rejects.toMatchObject({ code: 'SPEND_CAP_REACHED' });
      expect(await resume(task.jobId, { maxSpend: cap('0.0056') })).toMatchObject({ hasSpendCaps: true });
    });

    it('requires enough budget for one of the next recipients', async () => {
      await setCap('0.0100');
      const jobId = newId('job');
      const german = '491512345678';
      expect(await resume(jobId)).toBeDefined();
      expect(await resume(jobId, { nextRecipients: [german, CUSTOMER] })).toBeDefined();
      await expect(resume(jobId, { nextRecipients: [german] })).rejects.toMatchObject({ code: 'SPEND_CAP_REACHED' });
    });

    it('uses the cap of the month in which the job sends', async () => {
      await setCap(PRICE);
      await send();
      const jobId = newId('job');
      await expect(resume(jobId)).rejects.toMatchObject({ code: 'SPEND_CAP_REACHED' });
      const next = new Date();
      next.setUTCMonth(next.getUTCMonth() + 1, 1);
      expect(await resume(jobId, { at: next.toISOString() })).toBeDefined();
    });
  });
});
