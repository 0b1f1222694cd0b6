import { createHmac } from 'node:crypto';
import { messageReceivedV1, messageStatusChangedV1, newId, templateStatusChangedV1 } from '@switchboard/contracts';
import { eventually, type Receiver, startReceiver } from '@switchboard/testing';
import { Harness } from './harness';

describe('event delivery', () => {
  let harness: Harness;
  let receiver: Receiver;

  beforeAll(async () => {
    harness = await Harness.start();
    receiver = await startReceiver();
  }, 60_000);

  afterAll(async () => {
    await harness.stop();
    await receiver.close();
  }, 60_000);

  it('sends one signed POST with the stored bytes', async () => {
    const { accountId, secret } = await harness.account(receiver);
    await harness.report(accountId, { upstreamId: 'wamid.OUT', status: 'delivered', error: null });
    const [delivery] = await eventually(async () => {
      const rows = await harness.deliveries(accountId);
      expect(rows).toMatchObject([{ state: 'delivered', attempts_made: 1 }]);
      return rows;
    });
    expect(receiver.received).toHaveLength(1);
    const [request] = receiver.received;
    if (!request || !delivery) throw new Error('no request');
    const { eventId, ...fields } = JSON.parse(request.body.toString()) as Record<string, unknown>;
    expect(eventId).toBe(delivery.event_id);
    expect(fields).toMatchObject({ event: 'message_status', messageId: 'wamid.OUT', status: 'delivered', error: null });
    expect(request).toMatchObject({ method: 'POST', path: '/hook' });
    expect(request.headers).toMatchObject({
      'content-type': 'application/json',
      'user-agent': 'Switchboard-Webhooks/1',
      'x-service-signature': `sha256=${createHmac('sha256', secret).update(request.body).digest('hex')}`,
      'x-service-event-id': eventId,
      'x-service-attempt': '1',
      'webhook-id': eventId,
    });
    expect(await harness.attempts(accountId)).toMatchObject([
      { attempt: 1, status_code: 200, error_class: null, finished_at: expect.any(Date) },
    ]);
  });

  it('delivers inbound messages and template changes', async () => {
    const { accountId } = await harness.account(receiver);
    await harness.others.publish(messageReceivedV1, { ...messageReceivedV1.sample, accountId });
    await harness.others.publish(templateStatusChangedV1, { ...templateStatusChangedV1.sample, accountId });
    await eventually(() => expect(receiver.received.length).toBe(2));
    const kinds = receiver.received.map(({ body }) => (JSON.parse(body.toString()) as { event: string }).event);
    expect(kinds.sort()).toEqual(['message', 'template_status']);
  });

  it('delivers an event once, even if repeated with another message id', async () => {
    const { accountId } = await harness.account(receiver);
    const [id, messageId] = [newId('msg'), newId('evt')];
    await harness.report(accountId, { id }, messageId);
    await harness.report(accountId, { id }, messageId);
    await harness.report(accountId, { id });
    await harness.report(accountId, { id, status: 'read', error: null });
    await eventually(async () =>
      expect((await harness.deliveries(accountId)).map(({ state }) => state)).toEqual(['delivered', 'delivered']),
    );
    expect(receiver.received).toHaveLength(2);
  });

  it('delivers a status once when two releases report it differently', async () => {
    const { accountId } = await harness.account(receiver);
    const told = { ...messageStatusChangedV1.sample, id: newId('msg'), accountId };
    await harness.others.publish(messageStatusChangedV1, told);
    await eventually(async () => expect(await harness.deliveries(accountId)).toMatchObject([{ state: 'delivered' }]));
    await harness.report(accountId, told);
    await harness.report(accountId, { ...told, status: 'read', error: null });
    await eventually(async () =>
      expect((await harness.deliveries(accountId)).map(({ state }) => state)).toEqual(['delivered', 'delivered']),
    );
    const statuses = receiver.received.map(({ body }) => (JSON.parse(body.toString()) as { status: string }).status);
    expect(statuses).toEqual(['failed', 'read']);
  });

  it('retries after five seconds with the same bytes and a fresh signature', async () => {
    let answers = 0;
    const { accountId, secret } = await harness.account(receiver, (_request, response) => {
      answers += 1;
      response.writeHead(answers === 1 ? 500 : 200).end(answers === 1 ? 'out of order' : '');
    });
    await harness.report(accountId);
    await eventually(
      async () => expect(await harness.deliveries(accountId)).toMatchObject([{ state: 'delivered', attempts_made: 2 }]),
      {
        timeoutMs: 12_000,
      },
    );
    const [first, second] = receiver.received;
    if (!first || !second) throw new Error('two requests were expected');
    const gapMs = second.receivedAt - first.receivedAt;
    expect(gapMs).toBeGreaterThanOrEqual(5_000);
    expect(gapMs).toBeLessThanOrEqual(6_500);
    expect(second.body.equals(first.body)).toBe(true);
    expect(second.headers['x-service-attempt']).toBe('2');
    expect(second.headers['x-service-signature']).toBe(
      `sha256=${createHmac('sha256', secret).update(second.body).digest('hex')}`,
    );
    const rows = await harness.attempts(accountId);
    expect(rows).toMatchObject([
      { attempt: 1, status_code: 500, error_class: 'status', answer_head: Buffer.from('out of order') },
      { attempt: 2, status_code: 200, error_class: null },
    ]);
  });

  it('drops a delivery after the fourth failed retry', async () => {
    const { accountId } = await harness.account(receiver, (_request, response) => response.writeHead(503).end());
    await harness.report(accountId);
    for (const [made, delaySeconds] of [
      [1, 5],
      [2, 30],
      [3, 300],
      [4, 1800],
    ] as const) {
      await eventually(async () => expect((await harness.attempts(accountId)).length).toBe(made));
      expect(await harness.deliveries(accountId)).toMatchObject([{ state: 'pending', attempts_made: made }]);
      const [delivery] = await harness.deliveries(accountId);
      const last = (await harness.attempts(accountId)).at(-1);
      const waitMs = (delivery?.next_attempt_at?.getTime() ?? 0) - (last?.finished_at?.getTime() ?? 0);
      expect(waitMs).toBeGreaterThanOrEqual(delaySeconds * 1000);
      expect(waitMs).toBeLessThan(delaySeconds * 1000 + 500);
      await harness.makeDue(accountId);
    }
    await eventually(async () =>
      expect(await harness.deliveries(accountId)).toMatchObject([{ state: 'dropped', attempts_made: 5 }]),
    );
    expect((await harness.attempts(accountId)).map(({ attempt, error_class }) => [attempt, error_class])).toEqual(
      [1, 2, 3, 4, 5].map((attempt) => [attempt, 'status']),
    );
    expect(receiver.received).toHaveLength(5);
  });

  it('records and retries a connection reset', async () => {
    const { accountId } = await harness.account(receiver, (_request, response) => response.socket?.resetAndDestroy());
    await harness.report(accountId);
    await eventually(async () =>
      expect(await harness.attempts(accountId)).toMatchObject([{ error_class: 'reset', status_code: null }]),
    );
    expect(await harness.deliveries(accountId)).toMatchObject([{ state: 'pending', attempts_made: 1 }]);
  });

  it('stores an event without deliveries when there is no endpoint', async () => {
    const accountId = newId('acc');
    await harness.report(accountId);
    const stored = () =>
      harness.database.dataSource.query('SELECT kind FROM events WHERE account_id = $1', [accountId]);
    await eventually(async () => expect(await stored()).toEqual([{ kind: 'message_status' }]));
    expect(await harness.deliveries(accountId)).toEqual([]);
  });
});
