import { eventually } from '@switchboard/testing';
import { randomUUID } from 'node:crypto';
import { newAccount, type TestAccount } from '../support/account';
import { get, post } from '../support/api';
import { eventProblems } from '../support/described';
import { fileOf } from '../support/files';
import { done } from '../support/installation';
import { LABEL_FILTERS, LABELS } from '../support/labels';
import { control, freshPhone, writeInAny } from '../support/simulator';
import { approved } from '../support/templates';
import { type Listener, listenFor } from '../support/webhooks';

/** Magic number of the simulator. The upstream platform rejects sends to it. */
const REFUSED_RECIPIENT = '15005550130';
/**
 * Magic numbers of the simulator. A message to the first is sent and then fails; one to the second is delivered but
 * never read.
 */
const FAILS_AFTER_SENT = '15005550104';
const DELIVERED_NEVER_READ = '15005550101';
const FAILURE = ['reason', 'code', 'title', 'message', 'category', 'retriable'];

describe('chapter 11: events', () => {
  let account: TestAccount;
  let listener: Listener;

  beforeAll(async () => {
    account = await newAccount('Names of events');
    [listener] = await Promise.all([listenFor(account.accountId), approved(account, ['hello_world'])]);
  }, 90_000);
  afterAll(() => listener.receiver.close());

  const eventWith = (name: string, value: unknown): Promise<Record<string, unknown>> =>
    eventually(() => {
      const found = listener
        .events()
        .map((event) => ({ ...event }) as Record<string, unknown>)
        .find((event) => event[name] === value);
      if (!found) throw new Error(`no event with ${name} ${String(value)} yet`);
      return found;
    });
  const recordOf = async (id: unknown): Promise<unknown> =>
    (await get(`/messages/${String(id)}`, { apiKey: account.apiKey })).body['message'];
  const writtenBy = async (sender: object): Promise<Record<string, unknown>> =>
    eventWith(
      'messageId',
      await writeInAny({ from: freshPhone(), type: 'text', text: { body: 'hi' }, to: account.phoneNumber, ...sender }),
    );

  it('11.3.5 sets from to null for a hidden number and identifies by userId', async () => {
    const hidden = await writtenBy({ name: 'Hidden', hidePhone: true });
    expect(hidden).toMatchObject({
      from: null,
      userId: expect.stringMatching(/[A-Z]/) as string,
      id: expect.stringMatching(/^msg_/) as string,
    });
    expect(await eventProblems(hidden as { event: string })).toBe('');
    expect(await writtenBy({})).toMatchObject({
      from: expect.stringMatching(/^\d{8,15}$/) as string,
      userId: expect.any(String) as string,
    });
  });

  it('5.1.6 returns from, userId and name in the record as in the event', async () => {
    for (const sender of [{ name: 'Hidden', hidePhone: true }, { name: 'Shown' }]) {
      const { id, messageId, from, userId, name } = await writtenBy(sender);
      expect(await recordOf(id)).toMatchObject({ id, messageId, from, userId, name });
    }
    const { id } = await account.api.sendMessage({
      to: freshPhone(),
      type: 'template',
      template: { name: 'hello_world', language: { code: 'en_US' } },
    });
    expect(await recordOf(id)).toMatchObject({ from: account.phoneNumber, userId: null, name: null });
    const from = freshPhone();
    const shown = { from, username: `asha_${from}` };
    expect(await recordOf((await writtenBy({ ...shown, name: 'Shown' }))['id'])).toMatchObject(shown);
    const answer = await account.api.sendMessage({ to: from, type: 'text', text: { body: 'Hi' } });
    expect(await recordOf(answer.id)).toMatchObject({ to: from, userId: null, username: shown.username });
  });

  it('11.3.18 sends an event for a completed or paused job, matching its record', async () => {
    const template = { type: 'template', template: { name: 'hello_world', language: { code: 'en_US' } } };
    const bulk = async (more: object = {}): Promise<string> =>
      String(
        (
          await post(
            '/messages/send/bulk',
            { recipients: [freshPhone()], ...template, ...more },
            { apiKey: account.apiKey },
          )
        ).body['jobId'],
      );
    const jobOf = async (jobId: string): Promise<Record<string, unknown>> =>
      (await get(`/jobs/${jobId}`, { apiKey: account.apiKey })).body['job'] as Record<string, unknown>;
    const eventsOf = (jobId: string): object[] =>
      listener.events().filter((event) => event.event.startsWith('job_') && 'jobId' in event && event.jobId === jobId);
    const scheduledAt = new Date(Date.now() + 3_600_000).toISOString();
    const [completed, paused, cancelled] = [await bulk(), await bulk({ scheduledAt }), await bulk({ scheduledAt })];
    await post(`/jobs/${paused}/pause`, {}, { apiKey: account.apiKey });
    await post(`/jobs/${cancelled}/cancel`, {}, { apiKey: account.apiKey });
    for (const [jobId, event] of [
      [completed, 'job_completed'],
      [paused, 'job_paused'],
    ] as const) {
      const told = await eventually(() => {
        const [first] = eventsOf(jobId);
        if (!first) throw new Error(`no event about ${jobId} yet`);
        return first as Record<string, unknown> & { event: string };
      });
      const { total, failed, completedAt, pauseReason } = await jobOf(jobId);
      expect(told).toMatchObject({
        event,
        jobId,
        ...(event === 'job_completed' ? { total, failed, timestamp: completedAt } : { pauseReason }),
      });
      expect(await eventProblems(told)).toBe('');
    }
    // The third event needs a job whose number has been removed before its start, but a number with pending jobs cannot
    // be removed.
    expect([completed, paused, cancelled].map((jobId) => eventsOf(jobId).length)).toEqual([1, 1, 0]);
  });

  it('11.3.6 leaves name empty without a profile name, in event and record', async () => {
    const messageId = `wamid.${randomUUID()}`;
    const messages = [
      {
        id: messageId,
        from: freshPhone(),
        timestamp: String(Math.floor(Date.now() / 1_000)),
        type: 'text',
        text: { body: 'hi' },
      },
    ];
    const metadata = { display_phone_number: account.phoneNumber, phone_number_id: account.phoneNumberId };
    await control('POST', '/callbacks', {
      field: 'messages',
      value: { messaging_product: 'whatsapp', metadata, messages },
    });
    const event = await eventWith('messageId', messageId);
    expect(event).toMatchObject({ name: '', userId: null });
    expect(await eventProblems(event as { event: string })).toBe('');
    expect(await recordOf(event['id'])).toMatchObject({ name: '' });
  });

  const report = (wamid: unknown, status: string, more: object = {}): Promise<unknown> => {
    const metadata = { display_phone_number: account.phoneNumber, phone_number_id: account.phoneNumberId };
    const timestamp = String(Math.floor(Date.now() / 1_000));
    const statuses = [{ id: wamid, status, timestamp, recipient_id: freshPhone(), ...more }];
    return control('POST', '/callbacks', {
      field: 'messages',
      value: { messaging_product: 'whatsapp', metadata, statuses },
    });
  };
  const statusesOf = (messageId: unknown): unknown[] =>
    listener.about(messageId).flatMap((event) => ('status' in event ? [event.status] : []));
  const sendTo = (to: string): Promise<{ id: string; message_id: string }> =>
    account.api.sendMessage({ to, type: 'template', template: { name: 'hello_world', language: { code: 'en_US' } } });

  it.each(['delivered', 'read'])('5.2.4 replaces failed by a later %s', async (status) => {
    const { id, message_id: messageId } = await sendTo(FAILS_AFTER_SENT);
    await eventually(async () => expect(await recordOf(id)).toMatchObject({ status: 'failed' }));
    await report(messageId, status);
    await eventually(async () =>
      expect(await recordOf(id)).toMatchObject({
        status,
        error: null,
        [`${status}At`]: expect.any(String) as string,
        failedAt: expect.any(String) as string,
      }),
    );
    await eventually(() => expect(statusesOf(messageId)).toContain(status));
  });

  it('5.2.5 ignores failed after delivered, and 11.3.14 sends no event', async () => {
    const { id, message_id: messageId } = await sendTo(DELIVERED_NEVER_READ);
    await eventually(async () => expect(await recordOf(id)).toMatchObject({ status: 'delivered' }));
    const errors = [{ code: 131026, title: 'Message undeliverable' }];
    await report(messageId, 'failed', { errors });
    await report(messageId, 'read');
    await eventually(async () =>
      expect(await recordOf(id)).toMatchObject({ status: 'read', failedAt: null, error: null }),
    );
    await report(messageId, 'failed', { errors });
    // Callbacks of a number are processed in order, so all earlier ones are done after this one.
    await writtenBy({});
    expect(await recordOf(id)).toMatchObject({ status: 'read', failedAt: null, error: null });
    expect(statusesOf(messageId)).toEqual(['sent', 'delivered', 'read']);
  });

  it('11.3.21 keeps the event of a deleted message in the delivery log', async () => {
    const from = freshPhone();
    const secret = `secret ${randomUUID()}`;
    const messageId = await writeInAny({ from, type: 'text', text: { body: secret }, to: account.phoneNumber });
    const { eventId, id } = await eventWith('messageId', messageId);
    const revoke = { original_message_id: messageId };
    await writeInAny({ from, type: 'revoke', revoke, to: account.phoneNumber });
    await eventWith('event', 'message_deleted');
    expect(JSON.stringify(await recordOf(id))).not.toContain(secret);
    const shown = await done('webhooks', 'show', '--account', account.accountId, '--event', String(eventId));
    expect(shown['body']).toContain(secret);
  });

  it('11.3.10 sends all fields of a status event, with the id of the send', async () => {
    const template = { name: 'hello_world', language: { code: 'en_US' } };
    const { id, message_id: messageId } = await account.api.sendMessage({
      to: freshPhone(),
      type: 'template',
      template,
      clientRef: 'order-1',
    });
    const event = await eventWith('messageId', messageId);
    expect(event).toMatchObject({ event: 'message_status', id, clientRef: 'order-1', error: null });
    const fields = [
      'event',
      'messageId',
      'id',
      'to',
      'userId',
      'username',
      'status',
      'timestamp',
      'error',
      'pricing',
      'jobId',
      ...Object.keys(LABELS),
      'eventId',
    ];
    expect(
      Object.keys(event)
        .filter((name) => name !== 'late')
        .sort(),
    ).toEqual([...fields].sort());
  });

  it('3.1.9 returns the labels of JSON, form and bulk sends in records, lists and events', async () => {
    const to = freshPhone();
    await writtenBy({ from: to });
    const sends = [
      await account.api.sendMessage({ to, type: 'text', text: { body: 'Hi' }, ...LABELS }),
      await account.api.sendMessage({ to, type: 'image', file: fileOf('image', 'a.png'), ...LABELS }),
    ];
    const jobId = await bulk({ recipients: [{ to, ...LABELS }], type: 'text', text: { body: 'Hi' } });
    const sent = await eventually(async () => {
      const [recipient] = await rowsOf(jobId);
      expect(recipient).toMatchObject({ ...LABELS, id: expect.stringMatching(/^msg_/) as string });
      return recipient as { id: string };
    });
    const ids = [...sends, sent].map(({ id }) => id);
    for (const id of ids) {
      expect(await recordOf(id)).toMatchObject(LABELS);
      const event = await eventWith('id', id);
      expect(event).toMatchObject({ event: 'message_status', ...LABELS });
      expect(await eventProblems(event as { event: string })).toBe('');
    }
    for (const filter of LABEL_FILTERS) {
      const { messages } = await account.api.listMessages(filter);
      expect(messages.map(({ id }) => id).sort()).toEqual([...ids].sort());
      expect(messages).toMatchObject(ids.map(() => LABELS));
    }
  });

  const rowsOf = async (jobId: unknown): Promise<Record<string, unknown>[]> =>
    (await get(`/jobs/${String(jobId)}/recipients`, { apiKey: account.apiKey })).body['recipients'] as Record<
      string,
      unknown
    >[];
  const bulk = async (message: object): Promise<unknown> =>
    (await post('/messages/send/bulk', message, { apiKey: account.apiKey })).body['jobId'];

  it('5.3.1 returns the same six error fields in the record, the event and the job row', async () => {
    const jobId = await bulk({
      type: 'template',
      template: { name: 'hello_world', language: { code: 'en_US' } },
      recipients: [REFUSED_RECIPIENT],
    });
    const { error, id } = await eventWith('jobId', jobId);
    expect(Object.keys(error as object)).toEqual(FAILURE);
    expect(await recordOf(id)).toMatchObject({ status: 'failed', error });
    await eventually(async () => expect(await rowsOf(jobId)).toMatchObject([{ id, status: 'failed', error }]));
  });

  it('5.3.2 sets reason to a service code, and code to the upstream number or null', async () => {
    const theirs = await bulk({
      type: 'template',
      template: { name: 'hello_world', language: { code: 'en_US' } },
      recipients: [REFUSED_RECIPIENT],
    });
    expect(await eventWith('jobId', theirs)).toMatchObject({ error: { reason: 'INVALID_PARAMETER', code: 131030 } });
    const ours = await bulk({ type: 'text', text: { body: 'x' }, recipients: [freshPhone()] });
    expect(await eventWith('jobId', ours)).toMatchObject({ error: { reason: 'WINDOW_CLOSED', code: null } });
  });

  it('8.5.4 returns the usual error fields for a rejected recipient', async () => {
    const jobId = await bulk({ type: 'text', text: { body: 'x' }, recipients: [freshPhone(), '12'] });
    const [, rejected] = await rowsOf(jobId);
    expect(rejected).toMatchObject({
      status: 'rejected',
      error: { reason: 'INVALID_PHONE', code: null, retriable: false },
    });
    expect(Object.keys(rejected?.['error'] as object)).toEqual(FAILURE);
    const csv = await get(`/jobs/${String(jobId)}/results.csv`, { apiKey: account.apiKey });
    expect(csv.body['text']).toMatch(/errorReason,errorCode,errorMessage(.*\r?\n)+1,12,.*,rejected,.*,INVALID_PHONE,,/);
  });

  it('11.3.11 sets messageId to null if the send returned none, and id to the message', async () => {
    const message = { type: 'template', template: { name: 'hello_world', language: { code: 'en_US' } } };
    const { body } = await post(
      '/messages/send/bulk',
      { ...message, recipients: [REFUSED_RECIPIENT] },
      { apiKey: account.apiKey },
    );
    const event = await eventWith('jobId', body['jobId']);
    expect(event).toMatchObject({
      messageId: null,
      id: expect.stringMatching(/^msg_/) as string,
      to: REFUSED_RECIPIENT,
      status: 'failed',
    });
    expect(await eventProblems(event as { event: string })).toBe('');
    expect(await recordOf(event['id'])).toMatchObject({
      id: event['id'],
      messageId: null,
      message_id: null,
      status: 'failed',
    });
  });
});
