import {
  createEndpointV1,
  deleteEndpointV1,
  getEventV1,
  listEndpointsV1,
  messageReceivedV1,
  newId,
  numberQualityChangedV1,
  sendTestEventV1,
  switchEndpointV1,
  updateEndpointV1,
} from '@switchboard/contracts';
import { query } from '@switchboard/database';
import { acceptingChallenge, answering, eventually, type Receiver, startReceiver } from '@switchboard/testing';
import { EndpointWatch } from '../src/endpoints/endpoint-watch';
import { Harness, sealedToken, VERIFY_TOKEN } from './harness';

describe('webhook endpoints', () => {
  let harness: Harness;
  let [one, two]: Receiver[] = [];

  beforeAll(async () => {
    harness = await Harness.start();
    [one, two] = [await startReceiver(), await startReceiver()];
  }, 60_000);

  afterAll(async () => {
    await harness.stop();
    await Promise.all([one?.close(), two?.close()]);
  }, 60_000);

  const receivers = (): [Receiver, Receiver] => {
    if (!one || !two) throw new Error('not started');
    return [one, two];
  };
  const kindsAt = (receiver: Receiver) =>
    receiver.received.map(({ body }) => (JSON.parse(body.toString()) as { event: string }).event);

  it('have separate secrets and event kinds within one account', async () => {
    const [first, second] = receivers();
    const accountId = newId('acc');
    const all = await harness.endpoint(accountId, first);
    const some = await harness.endpoint(accountId, second, {
      kinds: ['message', 'phone_number_quality'],
      maxInFlight: 7,
    });
    expect(all.secret).not.toBe(some.secret);
    await harness.report(accountId);
    await harness.others.publish(messageReceivedV1, { ...messageReceivedV1.sample, accountId });
    await harness.others.publish(numberQualityChangedV1, { ...numberQualityChangedV1.sample, accountId });
    await eventually(() =>
      expect(kindsAt(first).sort()).toEqual(['message', 'message_status', 'phone_number_quality']),
    );
    await eventually(() => expect(kindsAt(second).sort()).toEqual(['message', 'phone_number_quality']));
    const { endpoints } = await harness.others.request(listEndpointsV1, { accountId });
    expect(endpoints).toMatchObject([
      { id: all.id, url: `${first.url}/hook`, kinds: null, maxInFlight: null, state: 'enabled' },
      {
        id: some.id,
        kinds: ['message', 'phone_number_quality'],
        maxInFlight: 7,
        state: 'enabled',
        rotationEndsAt: null,
      },
    ]);
    expect(JSON.stringify(endpoints)).not.toContain('ecret');
  });

  it('hold events while paused and send them when resumed', async () => {
    const [first] = receivers();
    const { accountId } = await harness.account(first);
    const [endpoint] = (await harness.others.request(listEndpointsV1, { accountId })).endpoints;
    const endpointId = endpoint?.id ?? '';
    const paused = await harness.others.request(switchEndpointV1, { accountId, endpointId, enabled: false });
    expect(paused.endpoint).toMatchObject({ state: 'paused' });
    for (let number = 0; number < 5; number += 1) await harness.report(accountId);
    await eventually(async () => expect((await harness.deliveries(accountId)).length).toBe(5));
    expect(
      (await harness.deliveries(accountId)).every(
        ({ state, attempts_made }) => state === 'pending' && attempts_made === 0,
      ),
    ).toBe(true);
    await harness.others.request(switchEndpointV1, { accountId, endpointId, enabled: true });
    await eventually(() => expect(first.received.length).toBe(5));
  });

  it('move to another URL only after it passes the challenge', async () => {
    const [first, second] = receivers();
    const { accountId } = await harness.account(first);
    const [endpoint] = (await harness.others.request(listEndpointsV1, { accountId })).endpoints;
    const endpointId = endpoint?.id ?? '';
    second.respondWith(answering(403));
    await expect(
      harness.others.request(updateEndpointV1, { accountId, endpointId, url: second.url }),
    ).rejects.toMatchObject({ code: 'INVALID_PARAMETER' });
    const refused = { accountId, url: 'https://user:password@example.com/hook' };
    await expect(harness.others.request(updateEndpointV1, { ...refused, endpointId })).rejects.toMatchObject({
      code: 'INVALID_LINK',
    });
    const sealedVerifyToken = sealedToken(createEndpointV1, accountId);
    await expect(harness.others.request(createEndpointV1, { ...refused, sealedVerifyToken })).rejects.toMatchObject({
      code: 'INVALID_LINK',
    });
    expect((await harness.others.request(listEndpointsV1, { accountId })).endpoints).toMatchObject([
      { id: endpointId, url: endpoint?.url },
    ]);
    second.respondWith(acceptingChallenge(VERIFY_TOKEN));
    const moved = await harness.others.request(updateEndpointV1, {
      accountId,
      endpointId,
      url: second.url,
      kinds: ['message'],
    });
    expect(moved.endpoint).toMatchObject({ id: endpointId, url: `${second.url}/`, kinds: ['message'] });
    expect(
      (await harness.others.request(updateEndpointV1, { accountId, endpointId, allKinds: true, maxInFlight: 9 }))
        .endpoint,
    ).toMatchObject({ kinds: null, maxInFlight: 9 });
  });

  it('receive nothing after deletion, and waiting events are dropped', async () => {
    const [first] = receivers();
    const { accountId } = await harness.account(first, answering(500));
    await harness.report(accountId);
    await eventually(async () =>
      expect(await harness.deliveries(accountId)).toMatchObject([{ attempts_made: 1, claimed_until: null }]),
    );
    const [endpoint] = (await harness.others.request(listEndpointsV1, { accountId })).endpoints;
    expect(await harness.others.request(deleteEndpointV1, { accountId, endpointId: endpoint?.id ?? '' })).toEqual({
      dropped: 1,
    });
    expect(await harness.deliveries(accountId)).toMatchObject([{ state: 'dropped', attempts_made: 1 }]);
    expect((await harness.others.request(listEndpointsV1, { accountId })).endpoints).toEqual([]);
    await harness.report(accountId);
    await eventually(async () =>
      expect(
        (await query(harness.database.dataSource, 'SELECT id FROM events WHERE account_id = $1', [accountId])).length,
      ).toBe(2),
    );
    expect(await harness.deliveries(accountId)).toHaveLength(1);
  });

  it('get one request at a time while degraded, until one succeeds', async () => {
    const [first] = receivers();
    const { accountId } = await harness.account(first, answering(500));
    await harness.report(accountId);
    await eventually(async () =>
      expect((await harness.others.request(listEndpointsV1, { accountId })).endpoints[0]?.failingSince).not.toBeNull(),
    );
    await query(
      harness.database.dataSource,
      `UPDATE endpoints SET failing_since = now() - interval '61 minutes' WHERE account_id = $1`,
      [accountId],
    );
    await harness.service().app.get(EndpointWatch).look();
    expect((await harness.others.request(listEndpointsV1, { accountId })).endpoints).toMatchObject([
      { state: 'degraded' },
    ]);
    let [open, most] = [0, 0];
    first.respondWith((_request, response) => {
      most = Math.max(most, (open += 1));
      setTimeout(() => {
        open -= 1;
        response.writeHead(500).end();
      }, 50);
    });
    for (let number = 0; number < 5; number += 1) await harness.report(accountId);
    await eventually(async () =>
      expect(
        (await harness.attempts(accountId)).filter(({ finished_at }) => finished_at).length,
      ).toBeGreaterThanOrEqual(6),
    );
    expect(most).toBe(1);
    first.respondWith(answering(200));
    await harness.makeDue(accountId);
    await eventually(async () =>
      expect((await harness.others.request(listEndpointsV1, { accountId })).endpoints).toMatchObject([
        { state: 'enabled', failingSince: null },
      ]),
    );
  });

  it('receive a logged test event of any kind', async () => {
    const [first] = receivers();
    const { accountId } = await harness.account(first);
    const [endpoint] = (await harness.others.request(listEndpointsV1, { accountId })).endpoints;
    await harness.others.request(updateEndpointV1, { accountId, endpointId: endpoint?.id ?? '', kinds: ['message'] });
    const { eventId } = await harness.others.request(sendTestEventV1, {
      accountId,
      endpointId: endpoint?.id ?? '',
      kind: 'template_status',
    });
    // Ignore requests of endpoints from earlier tests to the same receiver.
    const ofThisEndpoint = () =>
      first.received
        .map(({ body }) => JSON.parse(body.toString()) as { eventId: string })
        .filter((event) => event.eventId === eventId);
    await eventually(() => expect(ofThisEndpoint()).toMatchObject([{ event: 'template_status', test: true }]));
    await eventually(async () => {
      const { event } = await harness.others.request(getEventV1, { accountId, eventId });
      expect(event).toMatchObject({
        kind: 'template_status',
        deliveries: [{ state: 'delivered', attempts: [{ attempt: 1, statusCode: 200 }] }],
      });
    });
  });

  it('are hidden from other accounts', async () => {
    const [first] = receivers();
    const { accountId } = await harness.account(first);
    const [endpoint] = (await harness.others.request(listEndpointsV1, { accountId })).endpoints;
    const theirs = { accountId: newId('acc'), endpointId: endpoint?.id ?? '' };
    const asks = [
      () => harness.others.request(updateEndpointV1, { ...theirs, maxInFlight: 1 }),
      () => harness.others.request(switchEndpointV1, { ...theirs, enabled: false }),
      () => harness.others.request(deleteEndpointV1, theirs),
      () => harness.others.request(sendTestEventV1, { ...theirs, kind: 'message' }),
    ];
    for (const ask of asks) await expect(ask()).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect((await harness.others.request(listEndpointsV1, { accountId: theirs.accountId })).endpoints).toEqual([]);
  });

  it('are limited to twenty per account', async () => {
    const [first] = receivers();
    const accountId = newId('acc');
    first.respondWith(acceptingChallenge(VERIFY_TOKEN));
    const create = () =>
      harness.others.request(createEndpointV1, {
        accountId,
        url: first.url,
        sealedVerifyToken: sealedToken(createEndpointV1, accountId),
      });
    for (let number = 0; number < 20; number += 1) await create();
    await expect(create()).rejects.toMatchObject({ code: 'INVALID_PARAMETER' });
  });
});
