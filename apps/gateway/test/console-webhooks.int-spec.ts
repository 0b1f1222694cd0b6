import {
  AppError,
  confirmRotationV1,
  createEndpointV1,
  getEndpointStatisticsV1,
  countDroppedV1,
  deleteEndpointV1,
  getEventV1,
  getReplayV1,
  listEndpointsV1,
  listEventsV1,
  replayDroppedV1,
  replayEventV1,
  rotateSecretV1,
  sendTestEventV1,
  switchEndpointV1,
  updateEndpointV1,
} from '@switchboard/contracts';
import { inTransit } from '@switchboard/platform';
import { auditOf, type Browser, lastAudit, signedIn } from './support/console';
import { type Customer, type GatewayUnderTest, startGateway } from './support/gateway';
import { testBox } from './support/operator';
import type { UserRecord } from '../src/users/users.service';

const ENDPOINTS = '/console/v1/webhook-endpoints';
const EVENTS = '/console/v1/webhook-events';
const endpointId = 'ep_01jd0000000000000000000000';
const eventId = 'evt_01jd0000000000000000000000';

describe('console webhook routes', () => {
  let gateway: GatewayUnderTest;
  let customer: Customer;
  let admin: Browser & { user: UserRecord };

  beforeAll(async () => {
    gateway = await startGateway({ standing: ['webhooks'] });
    customer = await gateway.customer();
    admin = await signedIn(gateway, customer.accountId, 'admin');
  });
  beforeEach(() => {
    gateway.fakes.reset();
    gateway.fakes.answer(createEndpointV1, ({ accountId }) => ({
      ...createEndpointV1.sample.response,
      sealedSecret: testBox.seal('whsec_1', inTransit(createEndpointV1, 'sealedSecret', String(accountId))),
    }));
    gateway.fakes.answer(rotateSecretV1, ({ accountId }) => ({
      ...rotateSecretV1.sample.response,
      sealedSecret: testBox.seal('whsec_2', inTransit(rotateSecretV1, 'sealedSecret', String(accountId))),
    }));
  });
  afterAll(() => gateway.close());

  it('add an endpoint and return its secret once', async () => {
    const { status, body } = await admin.call('POST', ENDPOINTS, {
      body: {
        url: 'https://example.com/hook',
        verifyToken: 'verify-1',
        kinds: ['message'],
        accountId: 'acc_other',
        sealedVerifyToken: 'x',
      },
    });
    expect([status, body]).toEqual([
      201,
      { success: true, endpoint: createEndpointV1.sample.response.endpoint, secret: 'whsec_1' },
    ]);
    const [{ sealedVerifyToken, ...asked } = {}] = gateway.fakes.of(createEndpointV1);
    expect(asked).toEqual({ accountId: customer.accountId, url: 'https://example.com/hook', kinds: ['message'] });
    expect(
      testBox.open(String(sealedVerifyToken), inTransit(createEndpointV1, 'sealedVerifyToken', customer.accountId)),
    ).toBe('verify-1');
    expect(await lastAudit(gateway)).toEqual(
      auditOf(admin.user, 'webhook.create', customer.accountId, {
        url: 'https://example.com/hook',
        kinds: ['message'],
      }),
    );
  });

  it('list, change, pause, enable and remove endpoints', async () => {
    expect((await admin.call('GET', ENDPOINTS)).body).toEqual({ success: true, ...listEndpointsV1.sample.response });
    const changed = await admin.call('PATCH', `${ENDPOINTS}/${endpointId}`, {
      body: { maxInFlight: 5, allKinds: true, verifyToken: 'verify-2' },
    });
    expect([changed.status, changed.body]).toEqual([200, { success: true, ...updateEndpointV1.sample.response }]);
    const [{ sealedVerifyToken, ...asked } = {}] = gateway.fakes.of(updateEndpointV1);
    const opened = testBox.open(
      String(sealedVerifyToken),
      inTransit(updateEndpointV1, 'sealedVerifyToken', customer.accountId),
    );
    expect([asked, opened]).toEqual([
      { accountId: customer.accountId, endpointId, maxInFlight: 5, allKinds: true },
      'verify-2',
    ]);
    expect(await lastAudit(gateway)).toEqual(
      auditOf(admin.user, 'webhook.change', endpointId, { maxInFlight: 5, allKinds: true, verifyToken: 'changed' }),
    );
    for (const [verb, enabled] of [
      ['pause', false],
      ['enable', true],
    ] as const) {
      expect((await admin.call('POST', `${ENDPOINTS}/${endpointId}/${verb}`)).status).toBe(200);
      expect(gateway.fakes.of(switchEndpointV1).at(-1)).toEqual({
        accountId: customer.accountId,
        endpointId,
        enabled,
      });
      expect(await lastAudit(gateway)).toEqual(auditOf(admin.user, `webhook.${verb}`, endpointId));
    }
    expect((await admin.call('DELETE', `${ENDPOINTS}/${endpointId}`)).body).toEqual({
      success: true,
      ...deleteEndpointV1.sample.response,
    });
    expect(await lastAudit(gateway)).toEqual(auditOf(admin.user, 'webhook.delete', endpointId));
  });

  it('rotate and confirm a signing secret', async () => {
    const { body } = await admin.call('POST', `${ENDPOINTS}/${endpointId}/rotate-secret`);
    expect(body).toEqual({
      success: true,
      secret: 'whsec_2',
      rotationEndsAt: rotateSecretV1.sample.response.rotationEndsAt,
    });
    expect((await admin.call('POST', `${ENDPOINTS}/${endpointId}/confirm-rotation`)).body).toEqual({
      success: true,
      ...confirmRotationV1.sample.response,
    });
    const tested = await admin.call('POST', `${ENDPOINTS}/${endpointId}/test-events`, {
      body: { kind: 'template_status' },
    });
    expect([tested.status, tested.body]).toEqual([201, { success: true, ...sendTestEventV1.sample.response }]);
    expect(gateway.fakes.of(sendTestEventV1)).toEqual([
      { accountId: customer.accountId, endpointId, kind: 'template_status' },
    ]);
    expect(JSON.stringify(await gateway.database.dataSource.query('SELECT * FROM audit_log'))).not.toMatch(
      /whsec_|verify-\d|v1\./,
    );
  });

  it('list the log with all filters and show attempts', async () => {
    const filters = `limit=500&cursor=${eventId}&state=dropped&kind=message&endpointId=${endpointId}&errorClass=timeout&since=2026-03-01&until=2026-03-02T00:00:00Z&messageId=wamid.A&search=9198`;
    const { status, body } = await admin.call('GET', `${EVENTS}?${filters}`);
    expect([status, body]).toEqual([200, { success: true, ...listEventsV1.sample.response }]);
    const times = { since: '2026-03-01T00:00:00.000Z', until: '2026-03-02T00:00:00.000Z' };
    expect(gateway.fakes.of(listEventsV1)).toEqual([
      {
        accountId: customer.accountId,
        limit: 100,
        cursor: eventId,
        state: 'dropped',
        kind: 'message',
        endpointId,
        errorClass: 'timeout',
        ...times,
        messageId: 'wamid.A',
        search: '9198',
      },
    ]);
    expect((await admin.call('GET', `${EVENTS}/${eventId}`)).body).toEqual({
      success: true,
      ...getEventV1.sample.response,
    });
    for (const [query, code] of [
      ['state=lost', 'INVALID_PARAMETER'],
      ['since=soon', 'INVALID_VALUE'],
      ['endpointId=x', 'INVALID_PARAMETER'],
      ['errorClass=sloth', 'INVALID_PARAMETER'],
      ['search=x', 'INVALID_VALUE'],
      ['search=%00%00', 'INVALID_VALUE'],
    ]) {
      expect((await admin.call('GET', `${EVENTS}?${query ?? ''}`)).body.code).toBe(code);
    }
  });

  it.each([
    ['+91 98123-45678', '919812345678'],
    ['(91) 98.12', '919812'],
    [' order_update ', 'order_update'],
    ['wamid.1', 'wamid.1'],
  ])('search the log for %j as %j', async (typed, search) => {
    await admin.call('GET', `${EVENTS}?search=${encodeURIComponent(typed)}`);
    expect(gateway.fakes.of(listEventsV1)).toMatchObject([{ search }]);
  });

  it('show the delivery statistics of the last 24 hours', async () => {
    expect((await admin.call('GET', `${ENDPOINTS}/figures`)).body).toEqual({
      success: true,
      ...getEndpointStatisticsV1.sample.response,
    });
    const [{ since, accountId }] = gateway.fakes.of(getEndpointStatisticsV1) as [{ since: string; accountId: string }];
    expect(accountId).toBe(customer.accountId);
    expect((Date.now() - Date.parse(since)) / 3_600_000).toBeCloseTo(24, 1);
  });

  it('count and replay dropped deliveries of one event kind', async () => {
    const span = { since: '2026-03-02T09:00:00.000Z', until: '2026-03-02T10:00:00.000Z', endpointId, kind: 'message' };
    const counted = await admin.call(
      'GET',
      `/console/v1/webhook-replays/count?${new URLSearchParams(span).toString()}`,
    );
    expect(counted.body).toEqual({ success: true, ...countDroppedV1.sample.response });
    await admin.call('POST', '/console/v1/webhook-replays', { body: { ...span, deliveries: 120 } });
    expect(gateway.fakes.of(countDroppedV1)).toEqual([{ ...span, accountId: customer.accountId }]);
    expect(gateway.fakes.of(replayDroppedV1)).toEqual([{ ...span, accountId: customer.accountId, deliveries: 120 }]);
  });

  it('replay one event or all dropped events', async () => {
    expect((await admin.call('POST', `${EVENTS}/${eventId}/replay`, { body: { endpointId } })).body).toEqual({
      success: true,
      ...replayEventV1.sample.response,
    });
    expect(gateway.fakes.of(replayEventV1)).toEqual([{ accountId: customer.accountId, eventId, endpointId }]);
    const begun = await admin.call('POST', '/console/v1/webhook-replays', { body: { since: '2026-03-02T09:00:00Z' } });
    expect([begun.status, begun.body]).toEqual([201, { success: true, ...replayDroppedV1.sample.response }]);
    expect(await lastAudit(gateway)).toEqual(
      auditOf(admin.user, 'webhook.replay-dropped', customer.accountId, { since: '2026-03-02T09:00:00Z' }),
    );
    expect((await admin.call('GET', '/console/v1/webhook-replays/rpl_01jd0000000000000000000000')).body).toEqual({
      success: true,
      ...getReplayV1.sample.response,
    });
  });

  it("pass on a service's error and audit the request", async () => {
    gateway.fakes.answer(createEndpointV1, () => {
      throw new AppError('INVALID_LINK', { message: 'the verification challenge failed: the endpoint answered 403' });
    });
    const { status, body } = await admin.call('POST', ENDPOINTS, {
      body: { url: 'https://example.com/refused', verifyToken: 't' },
    });
    expect([status, body.message]).toEqual([422, 'the verification challenge failed: the endpoint answered 403']);
    expect(await lastAudit(gateway)).toMatchObject({
      action: 'webhook.create',
      details: { url: 'https://example.com/refused' },
    });
  });

  it.each([
    ['POST', ENDPOINTS, { url: 'https://example.com' }, 'MISSING_FIELD'],
    ['POST', ENDPOINTS, { url: 'https://example.com', verifyToken: 't', kinds: ['all'] }, 'INVALID_PARAMETER'],
    ['PATCH', `${ENDPOINTS}/${endpointId}`, {}, 'MISSING_FIELD'],
    ['PATCH', `${ENDPOINTS}/nonsense`, { maxInFlight: 5 }, 'NOT_FOUND'],
    ['PATCH', `${ENDPOINTS}/${endpointId}`, { maxInFlight: 101 }, 'INVALID_VALUE'],
    ['POST', `${ENDPOINTS}/${endpointId}/test-events`, { kind: 'all' }, 'INVALID_PARAMETER'],
    ['POST', '/console/v1/webhook-replays', { since: 'soon' }, 'INVALID_PARAMETER'],
    ['POST', `${EVENTS}/${eventId}/replay`, { endpointId: 'x' }, 'INVALID_VALUE'],
  ])('reject %s %s %j with %s, before calling a service', async (method, path, body, code) => {
    expect((await admin.call(method, path, { body })).body.code).toBe(code);
    expect(gateway.fakes.received).toEqual([]);
  });

  it("return the owner's name for a change, but not operators' names", async () => {
    await gateway.services.credits.topUp(
      { accountId: customer.accountId, category: 'utility', amount: 1, reason: 'x' },
      'cli:somebody',
    );
    const owner = await signedIn(gateway, customer.accountId, 'owner');
    const { body } = await owner.call('GET', '/console/v1/audit-log?limit=3');
    expect(body.entries).toMatchObject([
      { action: 'user.sign-in', actor: owner.user.userId },
      { action: 'user.create' },
      { action: 'credits.top-up', actor: 'operator' },
    ]);
    const next = await owner.call('GET', `/console/v1/audit-log?limit=3&cursor=${String(body.nextCursor)}`);
    expect((next.body.entries as object[]).length).toBe(3);
    expect(next.body.entries).not.toContainEqual((body.entries as object[])[2]);
  });
});
