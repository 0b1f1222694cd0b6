import { eventually, type ReceivedRequest } from '@switchboard/testing';
import { createHmac } from 'node:crypto';
import { newAccount, type TestAccount } from '../support/account';
import { freshPhone, setTemplateStatus, writeIn } from '../support/simulator';
import { approved, createTemplate } from '../support/templates';
import { type Listener, listenFor } from '../support/webhooks';

const FIRST_DELAY_MS = 5_000;

describe('chapters 10 and 11: templates and webhooks', () => {
  let account: TestAccount;
  let listener: Listener;
  let request: ReceivedRequest;

  beforeAll(async () => {
    account = await newAccount('Headers');
    listener = await listenFor(account.accountId);
    const messageId = await writeIn(freshPhone(), 'Hello', { to: account.phoneNumber });
    request = await eventually(() => {
      const [found] = attemptsOf(messageId);
      if (!found) throw new Error('no event yet');
      return found;
    });
  }, 90_000);
  afterAll(() => listener.receiver.close());

  const attemptsOf = (messageId: string): ReceivedRequest[] =>
    listener.receiver.received.filter(({ method, body }) => method === 'POST' && body.includes(messageId));
  const statusEventsOf = (name: string): object[] =>
    listener.events().filter((event) => 'templateName' in event && event.templateName === name);
  const greeting = (): ReturnType<typeof createTemplate> => createTemplate([{ type: 'BODY', text: 'Good morning.' }]);

  it('10.1.5 reports a flagged template as sendable and sends it', async () => {
    const { name } = await greeting();
    await approved(account, [name]);
    await setTemplateStatus(name, { language: 'en_US', event: 'FLAGGED' });
    await eventually(() =>
      expect(statusEventsOf(name)).toContainEqual(expect.objectContaining({ status: 'FLAGGED', sendable: true })),
    );
    const sent = await account.api.sendMessage({
      to: freshPhone(),
      type: 'template',
      template: { name, language: { code: 'en_US' } },
    });
    expect(sent).toMatchObject({ success: true, status: 'accepted' });
    await setTemplateStatus(name, { language: 'en_US', event: 'APPROVED' });
    await eventually(() =>
      expect(statusEventsOf(name)).toContainEqual(
        expect.objectContaining({ status: 'APPROVED', previousStatus: 'FLAGGED' }),
      ),
    );
  });

  it('10.1.1 moves a template between states, and 10.1.2 sends it only while approved', async () => {
    const { name } = await greeting();
    await approved(account, [name]);
    const template = { name, language: { code: 'en_US' } };
    const outcome = (): Promise<unknown> =>
      account.api.sendMessage({ to: freshPhone(), type: 'template', template }).then(
        ({ status }) => status,
        (error: { code: string }) => error.code,
      );
    let previousStatus = 'APPROVED';
    for (const [event, status] of [
      ['PAUSED', 'FLAGGED'],
      ['APPROVED', 'APPROVED'],
      ['DISABLED', 'DISABLED'],
      ['APPROVED', 'APPROVED'],
      ['PENDING', 'PENDING'],
      ['REJECTED', 'REJECTED'],
      ['PENDING', 'PENDING'],
      ['APPROVED', 'APPROVED'],
      ['PAUSED', 'FLAGGED'],
      ['DISABLED', 'DISABLED'],
    ] as const) {
      const before = statusEventsOf(name).length;
      await setTemplateStatus(name, { language: 'en_US', event });
      const wanted = { status, previousStatus, sendable: status === 'APPROVED' };
      await eventually(() =>
        expect(statusEventsOf(name).slice(before)).toContainEqual(expect.objectContaining(wanted)),
      );
      await eventually(async () =>
        expect({ status, outcome: await outcome() }).toEqual({
          status,
          outcome: status === 'APPROVED' ? 'accepted' : 'TEMPLATE_NOT_APPROVED',
        }),
      );
      previousStatus = status;
    }
  }, 90_000);

  it('11.3.16 passes on the upstream reason for every status', async () => {
    const { name } = await greeting();
    await approved(account, [name]);
    for (const [event, status] of [
      ['PAUSED', 'FLAGGED'],
      ['DISABLED', 'DISABLED'],
      ['APPROVED', 'APPROVED'],
      ['PENDING', 'PENDING'],
      ['REJECTED', 'REJECTED'],
    ] as const) {
      const reason = `${event}_FOR_A_TEST`;
      await setTemplateStatus(name, { language: 'en_US', event, reason });
      const sendable = status === 'APPROVED';
      await eventually(() =>
        expect(statusEventsOf(name)).toContainEqual(expect.objectContaining({ status, reason, sendable })),
      );
    }
  }, 60_000);

  it('11.5.1 retries an event after any status but 200, including 201', async () => {
    const from = freshPhone();
    let answered = 0;
    listener.receiver.respondWith(({ body }, response) => {
      const isFirst = body.includes(from) && answered === 0;
      if (isFirst) answered += 1;
      response.writeHead(isFirst ? 201 : 200).end();
    });
    const messageId = await writeIn(from, 'again please', { to: account.phoneNumber });
    await eventually(() => expect(attemptsOf(messageId).length).toBe(2), { timeoutMs: 3 * FIRST_DELAY_MS });
    const [first, second] = attemptsOf(messageId);
    expect(Number(second?.receivedAt) - Number(first?.receivedAt)).toBeGreaterThanOrEqual(FIRST_DELAY_MS);
    expect(second?.headers['x-service-attempt']).toBe('2');
  });

  it('11.4.2 sends the headers of event and attempt', () => {
    const { eventId } = JSON.parse(request.body.toString()) as { eventId: string };
    expect(request.headers).toMatchObject({
      'x-service-event-id': eventId,
      'x-service-attempt': '1',
      'x-service-timestamp': expect.stringMatching(/^\d{10}$/) as string,
      'user-agent': expect.stringMatching(/./) as string,
      'content-type': 'application/json',
    });
    expect(Math.abs(Number(request.headers['x-service-timestamp']) - Date.now() / 1_000)).toBeLessThan(120);
  });

  it('11.4.3 sends Standard Webhooks headers, signed over id, time and body', () => {
    const [id, timestamp, signature] = ['id', 'timestamp', 'signature'].map((name) =>
      String(request.headers[`webhook-${name}`]),
    );
    expect([id, timestamp]).toEqual([request.headers['x-service-event-id'], request.headers['x-service-timestamp']]);
    const key = Buffer.from(listener.secret.replace(/^whsec_/, ''), 'base64');
    const expected = createHmac('sha256', key).update(`${id}.${timestamp}.${request.body.toString()}`).digest('base64');
    expect(String(signature).split(' ')).toContain(`v1,${expected}`);
  });
});
