import {
  countDroppedV1,
  getEventV1,
  getReplayV1,
  listEventsV1,
  listReplaysV1,
  type ListEventsCommand,
  messageDeletedV1,
  messageEchoedV1,
  messageReceivedV1,
  messageStatusChangedV1,
  newId,
  replayDroppedV1,
  replayEventV1,
} from '@switchboard/contracts';
import { query } from '@switchboard/database';
import { answering, eventually, type Receiver, startReceiver } from '@switchboard/testing';
import { Harness } from './harness';

describe('delivery log', () => {
  let harness: Harness;
  let receiver: Receiver;

  beforeAll(async () => {
    harness = await Harness.start({ WEBHOOK_REPLAYS_PER_SECOND: 10 });
    receiver = await startReceiver();
  }, 60_000);

  afterAll(async () => {
    await harness.stop();
    await receiver.close();
  }, 60_000);

  const list = (accountId: string, filter: Partial<ListEventsCommand> = {}) =>
    harness.others.request(listEventsV1, { accountId, limit: 100, ...filter });

  /** Makes retries due repeatedly until nothing waits. */
  async function failOut(accountId: string, count: number): Promise<void> {
    await eventually(
      async () => {
        await harness.makeDue(accountId);
        expect((await harness.deliveries(accountId)).filter(({ state }) => state === 'dropped').length).toBe(count);
      },
      { timeoutMs: 20_000 },
    );
  }

  it('pages through events newest first, without gaps or repetitions', async () => {
    const { accountId } = await harness.account(receiver);
    for (let number = 0; number < 25; number += 1) await harness.report(accountId);
    await eventually(async () => expect((await list(accountId, { state: 'delivered' })).events.length).toBe(25));
    const ids: string[] = [];
    for (let cursor: string | undefined, page = 0; page < 3; page += 1) {
      const { events, nextCursor } = await list(accountId, { limit: 10, cursor });
      ids.push(...events.map(({ id }) => id));
      cursor = nextCursor ?? undefined;
      expect(nextCursor === null).toBe(page === 2);
    }
    expect(new Set(ids).size).toBe(25);
    expect([...ids].sort().reverse()).toEqual(ids);
  });

  it('filters events by state, kind, endpoint, time, message and search', async () => {
    const { accountId } = await harness.account(receiver);
    const { id: endpointId } = await harness.endpoint(accountId, receiver, { kinds: ['message'] });
    await harness.report(accountId, { upstreamId: 'wamid.FIND', to: '4915112345678' });
    await harness.others.publish(messageReceivedV1, { ...messageReceivedV1.sample, accountId, from: '5511987654321' });
    await eventually(async () => expect((await list(accountId, { state: 'delivered' })).events.length).toBe(2));
    const [message, status] = (await list(accountId)).events.sort((a, b) => a.kind.localeCompare(b.kind));
    const found = async (filter: Partial<ListEventsCommand>) =>
      (await list(accountId, filter)).events.map(({ id }) => id);
    expect(await found({ kind: 'message' })).toEqual([message?.id]);
    expect([message?.status, status?.status]).toEqual([null, messageStatusChangedV1.sample.status]);
    expect(await found({ status: messageStatusChangedV1.sample.status })).toEqual([status?.id]);
    expect(await found({ status: 'read' })).toEqual([]);
    expect(await found({ endpointId })).toEqual([message?.id]);
    expect(await found({ messageId: 'wamid.FIND' })).toEqual([status?.id]);
    expect(await found({ search: '49151' })).toEqual([status?.id]);
    expect(await found({ search: message?.id })).toEqual([message?.id]);
    expect(await found({ search: '%' + '%' })).toEqual([]);
    expect(await found({ state: 'dropped' })).toEqual([]);
    expect(await found({ state: 'delivered', kind: 'message_status', endpointId })).toEqual([]);
    expect(await found({ since: new Date(Date.now() + 60_000).toISOString() })).toEqual([]);
    expect(await found({ until: new Date(Date.now() - 60_000).toISOString() })).toEqual([]);
    expect(await found({ since: new Date(Date.now() - 60_000).toISOString() })).toHaveLength(2);
    expect((await list(newId('acc'))).events).toEqual([]);
  });

  it('filters events by error class and shows the last result', async () => {
    const { accountId } = await harness.account(receiver, answering(503));
    await harness.report(accountId);
    const last = async (filter: Partial<ListEventsCommand>) =>
      (await list(accountId, filter)).events.flatMap(({ deliveries }) =>
        deliveries.map(({ state, lastStatusCode, lastErrorClass }) => [state, lastStatusCode, lastErrorClass]),
      );
    await eventually(async () => expect(await last({ errorClass: 'status' })).toEqual([['pending', 503, 'status']]));
    expect(await last({ errorClass: 'timeout' })).toEqual([]);
    expect(await last({ errorClass: 'status', state: 'dropped' })).toEqual([]);
    expect((await list(newId('acc'), { errorClass: 'status' })).events).toEqual([]);
    receiver.respondWith(answering(200));
    await eventually(async () => {
      await harness.makeDue(accountId);
      expect(await last({})).toEqual([['delivered', 200, null]]);
    });
    // Also find failures of a delivery that succeeded later.
    expect(await last({ errorClass: 'status', state: 'delivered' })).toEqual([['delivered', 200, null]]);
  });

  it('shows an event with its body, deliveries, requests and responses', async () => {
    const { accountId } = await harness.account(receiver, answering(500, { body: 'out of order' }));
    await harness.report(accountId);
    const [listed] = await eventually(async () => {
      const { events } = await list(accountId, { state: 'pending' });
      expect(events[0]?.deliveries).toMatchObject([{ attemptsMade: 1 }]);
      return events;
    });
    const eventId = listed?.id ?? '';
    const { event } = await eventually(async () => {
      const shown = await harness.others.request(getEventV1, { accountId, eventId });
      expect(shown.event.deliveries[0]?.attempts[0]?.finishedAt).not.toBeNull();
      return shown;
    });
    expect(event.body).toBe(receiver.received[0]?.body.toString());
    expect(event.deliveries[0]?.attempts).toMatchObject([
      {
        attempt: 1,
        url: `${receiver.url}/hook`,
        statusCode: 500,
        errorClass: 'status',
        answer: 'out of order',
        requestHeaders: { 'X-Service-Event-Id': eventId },
      },
    ]);
    expect(event.deliveries[0]?.attempts[0]?.requestHeaders['X-Service-Timestamp']).toBe(
      receiver.received[0]?.headers['x-service-timestamp'],
    );
    await expect(harness.others.request(getEventV1, { accountId: newId('acc'), eventId })).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
  });

  it('keeps the events of a message that is deleted later', async () => {
    const { accountId } = await harness.account(receiver);
    const [received, echoed] = [messageReceivedV1.sample, messageEchoedV1.sample];
    await harness.others.publish(messageReceivedV1, { ...received, accountId });
    await harness.others.publish(messageEchoedV1, { ...echoed, accountId });
    await eventually(async () => expect((await list(accountId, { state: 'delivered' })).events.length).toBe(2));
    const told = (await list(accountId)).events.map(({ id }) => id);
    const { id, upstreamId } = received;
    await harness.others.publish(messageDeletedV1, { ...messageDeletedV1.sample, accountId, id, upstreamId });
    const gone = { action: 'deleted' as const, changeId: 'wamid.GONE', type: null, content: null };
    await harness.others.publish(messageEchoedV1, { ...echoed, ...gone, accountId });
    await eventually(async () => expect((await list(accountId, { state: 'delivered' })).events.length).toBe(4));
    for (const eventId of told) {
      const { event } = await harness.others.request(getEventV1, { accountId, eventId });
      expect(event.body).toContain('"text":{"body":"');
    }
  });

  it('stores the first KiB of a longer response', async () => {
    const { accountId } = await harness.account(
      receiver,
      answering(500, { body: 'x'.repeat(1_024) + 'y'.repeat(1_024) }),
    );
    await harness.report(accountId);
    await eventually(async () => {
      const { events } = await list(accountId, { state: 'pending' });
      const { event } = await harness.others.request(getEventV1, { accountId, eventId: events[0]?.id ?? '' });
      expect(event.deliveries[0]?.attempts[0]).toMatchObject({
        answer: 'x'.repeat(1_024),
        durationMs: expect.any(Number) as number,
        startedAt: expect.any(String) as string,
      });
    });
  });

  it('replays an event unchanged as a new delivery', async () => {
    const { accountId } = await harness.account(receiver);
    await harness.report(accountId);
    await eventually(async () => expect(await harness.deliveries(accountId)).toMatchObject([{ state: 'delivered' }]));
    const [event] = (await list(accountId)).events;
    expect(await harness.others.request(replayEventV1, { accountId, eventId: event?.id ?? '' })).toEqual({
      deliveries: 1,
    });
    await eventually(async () =>
      expect(await harness.deliveries(accountId)).toMatchObject([{ state: 'delivered' }, { state: 'delivered' }]),
    );
    expect(receiver.received[1]?.body.equals(receiver.received[0]?.body ?? Buffer.alloc(0))).toBe(true);
    await expect(
      harness.others.request(replayEventV1, { accountId: newId('acc'), eventId: event?.id ?? '' }),
    ).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('excludes a replayed event from later replays of dropped events', async () => {
    const own = await startReceiver();
    const { accountId } = await harness.account(own, answering(503));
    await harness.report(accountId);
    await failOut(accountId, 1);
    const since = new Date(Date.now() - 3_600_000).toISOString();
    const counted = async () => (await harness.others.request(countDroppedV1, { accountId, since })).deliveries;
    expect(await counted()).toBe(1);
    const later = await harness.others.request(replayDroppedV1, { accountId, since: new Date().toISOString() });
    expect(later.replay).toMatchObject({ total: 0 });
    own.respondWith(answering(200));
    const [event] = (await list(accountId)).events;
    await harness.others.request(replayEventV1, { accountId, eventId: event?.id ?? '' });
    await eventually(async () => {
      const [dropped, replay] = (await list(accountId)).events[0]?.deliveries ?? [];
      expect([dropped, replay]).toMatchObject([{ state: 'dropped', replayedAs: replay?.id }, { state: 'delivered' }]);
    });
    expect(await counted()).toBe(0);
    await own.close();
  }, 40_000);

  it('replays an undelivered event to the current endpoints', async () => {
    const accountId = newId('acc');
    await harness.report(accountId);
    const [event] = await eventually(async () => {
      const { events } = await list(accountId);
      expect(events.length).toBe(1);
      return events;
    });
    await expect(harness.others.request(replayEventV1, { accountId, eventId: event?.id ?? '' })).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
    await harness.endpoint(accountId, receiver);
    expect(await harness.others.request(replayEventV1, { accountId, eventId: event?.id ?? '' })).toEqual({
      deliveries: 1,
    });
    await eventually(() => expect(receiver.received.length).toBe(1));
  });

  it('rejects a replay for an endpoint of another account', async () => {
    const { accountId } = await harness.account(receiver);
    const other = await harness.endpoint(newId('acc'), receiver);
    const since = new Date(Date.now() - 3_600_000).toISOString();
    for (const endpointId of [other.id, newId('ep')]) {
      await expect(harness.others.request(replayDroppedV1, { accountId, since, endpointId })).rejects.toMatchObject({
        code: 'NOT_FOUND',
      });
    }
    expect(
      await query(harness.database.dataSource, 'SELECT id FROM replays WHERE account_id = $1', [accountId]),
    ).toEqual([]);
  });

  it('replays one kind, and only while the count still matches', async () => {
    const own = await startReceiver();
    const { accountId } = await harness.account(own, answering(503));
    const dropped = async (): Promise<string[]> =>
      (await list(accountId, { state: 'dropped' })).events.map(({ kind }) => kind);
    await harness.others.publish(messageReceivedV1, { ...messageReceivedV1.sample, accountId });
    await Promise.all([harness.report(accountId), harness.report(accountId)]);
    await eventually(async () => expect((await harness.deliveries(accountId)).length).toBe(3));
    await failOut(accountId, 3);
    own.respondWith(answering(200));
    const since = new Date(Date.now() - 3_600_000).toISOString();
    const kind = 'message_status' as const;
    expect(await harness.others.request(countDroppedV1, { accountId, since, kind })).toEqual({
      deliveries: 2,
      isExact: true,
    });
    await expect(
      harness.others.request(replayDroppedV1, { accountId, since, kind, deliveries: 3 }),
    ).rejects.toMatchObject({ code: 'INVALID_VALUE', message: expect.stringContaining('2 deliveries') as string });
    expect(await dropped()).toHaveLength(3);
    const { replay } = await harness.others.request(replayDroppedV1, { accountId, since, kind, deliveries: 2 });
    expect(replay).toMatchObject({ kind, total: 2 });
    await eventually(async () =>
      expect((await harness.others.request(getReplayV1, { accountId, replayId: replay.id })).replay).toMatchObject({
        kind,
        replayed: 2,
        finishedAt: expect.any(String) as string,
      }),
    );
    expect(await dropped()).toEqual(['message']);
    await own.close();
  }, 40_000);

  it('rejects a replay when the count has reached its limit', async () => {
    const own = await startReceiver();
    const { accountId } = await harness.account(own, answering(503));
    await harness.report(accountId);
    await eventually(async () => expect((await harness.deliveries(accountId)).length).toBe(1));
    await failOut(accountId, 1);
    await query(
      harness.database.dataSource,
      `INSERT INTO deliveries SELECT (jsonb_populate_record(d, jsonb_build_object('id', d.id || n))).*
       FROM deliveries d, generate_series(1, 10000) AS n WHERE account_id = $1`,
      [accountId],
    );
    const since = new Date(Date.now() - 3_600_000).toISOString();
    const counted = await harness.others.request(countDroppedV1, { accountId, since });
    expect(counted).toEqual({ deliveries: 10_000, isExact: false });
    await expect(
      harness.others.request(replayDroppedV1, { accountId, since, deliveries: counted.deliveries }),
    ).rejects.toMatchObject({
      code: 'INVALID_VALUE',
      message: expect.stringContaining('more than 10000 deliveries were dropped') as string,
    });
    await own.close();
  });

  it('replays everything dropped since a time once, at the configured rate', async () => {
    // Use a separate receiver, so that retries of other tests are not counted.
    const own = await startReceiver();
    const { accountId } = await harness.account(own, answering(503));
    for (let number = 0; number < 25; number += 1) await harness.report(accountId);
    await eventually(async () => expect((await harness.deliveries(accountId)).length).toBe(25));
    await failOut(accountId, 25);
    const bodies = (): string[] => [...new Set(own.received.map(({ body }) => body.toString()))].sort();
    const firstBodies = bodies();
    own.received.length = 0;
    own.respondWith(answering(200));
    const since = new Date(Date.now() - 3_600_000).toISOString();
    const [{ endpointId = '' } = {}] = (await list(accountId)).events[0]?.deliveries ?? [];
    const counted = (filter: object, of = accountId) =>
      harness.others.request(countDroppedV1, { accountId: of, since, ...filter });
    expect(await counted({})).toEqual({ deliveries: 25, isExact: true });
    expect(await counted({ endpointId })).toEqual({ deliveries: 25, isExact: true });
    for (const none of [{ endpointId: newId('ep') }, { until: since }, { since: new Date().toISOString() }])
      expect(await counted(none)).toEqual({ deliveries: 0, isExact: true });
    expect(await counted({}, newId('acc'))).toEqual({ deliveries: 0, isExact: true });
    const before = await harness.others.request(replayDroppedV1, { accountId, since, until: since });
    expect(before.replay).toMatchObject({ total: 0 });
    const { replay } = await harness.others.request(replayDroppedV1, { accountId, since });
    expect(replay).toMatchObject({ total: 25, replayed: 0, finishedAt: null });
    const startedAt = Date.now();
    const done = await eventually(async () => {
      const now = await harness.others.request(getReplayV1, { accountId, replayId: replay.id });
      expect(now.replay.finishedAt).not.toBeNull();
      return now.replay;
    });
    expect(done).toMatchObject({ total: 25, replayed: 25 });
    // At ten per second, the last deliveries are sent in the third second.
    expect(Date.now() - startedAt).toBeGreaterThanOrEqual(1_000);
    await eventually(() => expect(own.received.length).toBe(25));
    expect(new Set(own.received.map(({ headers }) => headers['x-service-event-id'])).size).toBe(25);
    expect(bodies()).toEqual(firstBodies);
    const again = await harness.others.request(replayDroppedV1, { accountId, since });
    expect(again.replay.total).toBe(0);
    expect(await counted({})).toEqual({ deliveries: 0, isExact: true });
    const page = await harness.others.request(listReplaysV1, { accountId, limit: 2 });
    expect(page.replays.map(({ id }) => id)).toEqual([again.replay.id, replay.id]);
    const rest = await harness.others.request(listReplaysV1, { accountId, limit: 2, cursor: replay.id });
    expect(rest).toMatchObject({ replays: [{ id: before.replay.id }], nextCursor: null });
    expect((await harness.others.request(listReplaysV1, { accountId: newId('acc'), limit: 2 })).replays).toEqual([]);
    await expect(
      harness.others.request(getReplayV1, { accountId: newId('acc'), replayId: replay.id }),
    ).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await own.close();
  }, 40_000);
});
