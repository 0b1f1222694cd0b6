import { verifyWebhook } from '@switchboard/client';
import { acceptingChallenge, answering, eventually, type Receiver, startReceiver } from '@switchboard/testing';
import { newAccount, newUser } from './support/account';
import { type ConsoleAnswer, signIn } from './support/console';

const KINDS = [
  'message',
  'message_status',
  'template_status',
  'phone_number_quality',
  'job_completed',
  'job_paused',
  'job_failed',
  'message_edited',
  'message_deleted',
  'contact_changed',
  'call',
  'account_notice',
  'message_held',
  'message_echo',
];
const ENDPOINTS = '/webhook-endpoints';
const EVENTS = '/webhook-events';

type Fields = Record<string, unknown>;

describe('console webhooks', () => {
  let receiver: Receiver;
  let console: Awaited<ReturnType<typeof signIn>>;
  let endpointId: string;
  let secret: string;

  beforeAll(async () => {
    receiver = await startReceiver();
    const { accountId } = await newAccount('Console webhooks');
    const { email, password } = await newUser(accountId, 'admin');
    console = await signIn(email, password);
  }, 90_000);

  afterAll(() => receiver.close());

  /** Filters deliveries by event, because reading the account's templates for the first time sends other events. */
  const deliveredOf = (eventId: string): Receiver['received'] =>
    receiver.received.filter(({ method, body }) => method === 'POST' && body.includes(eventId));
  const sendTestEvent = async (kind: string): Promise<string> =>
    String(ok(await console.call('POST', `${ENDPOINTS}/${endpointId}/test-events`, { kind }), 201)['eventId']);
  const shown = async (eventId: string): Promise<Fields> =>
    ok(await console.call('GET', `${EVENTS}/${eventId}`))['event'] as Fields;

  it('shows the secret of an endpoint that passed its challenge', async () => {
    const endpoint = { url: `${receiver.url}/hook`, verifyToken: 'my-token' };
    receiver.respondWith(answering(200));
    expect(await console.call('POST', ENDPOINTS, endpoint)).toMatchObject({
      status: 400,
      body: { code: 'INVALID_PARAMETER', message: expect.stringContaining('challenge') },
    });
    receiver.respondWith(acceptingChallenge('my-token'));
    const created = ok(await console.call('POST', ENDPOINTS, endpoint), 201);
    endpointId = String((created['endpoint'] as Fields)['id']);
    secret = String(created['secret']);
    const { endpoints } = ok(await console.call('GET', ENDPOINTS));
    expect(endpoints).toMatchObject([{ id: endpointId, url: endpoint.url, state: 'enabled' }]);
    expect(secret).toMatch(/^whsec_/);
    expect(JSON.stringify(endpoints)).not.toContain(secret);
  });

  it('shows and changes success statuses and the retry period', async () => {
    expect(ok(await console.call('GET', ENDPOINTS))['endpoints']).toMatchObject([
      { acceptStatuses: '200', retrySchedule: 'standard' },
    ]);
    const changed = ok(
      await console.call('PATCH', `${ENDPOINTS}/${endpointId}`, { acceptStatuses: '2xx', retrySchedule: 'extended' }),
    );
    expect(changed['endpoint']).toMatchObject({ id: endpointId, acceptStatuses: '2xx', retrySchedule: 'extended' });
    for (const wrong of [{ acceptStatuses: '201' }, { retrySchedule: 3 }])
      expect((await console.call('PATCH', `${ENDPOINTS}/${endpointId}`, wrong)).status).toBe(400);
    expect(ok(await console.call('GET', ENDPOINTS))['endpoints']).toMatchObject([
      { acceptStatuses: '2xx', retrySchedule: 'extended' },
    ]);
    ok(await console.call('PATCH', `${ENDPOINTS}/${endpointId}`, { acceptStatuses: '200', retrySchedule: 'standard' }));
  });

  it.each(KINDS)('sends and logs a signed test event of kind %s', async (kind) => {
    receiver.received.length = 0;
    receiver.respondWith(answering(200));
    const eventId = await sendTestEvent(kind);
    await eventually(async () =>
      expect(await shown(eventId)).toMatchObject({
        kind,
        deliveries: [{ endpointId, state: 'delivered', attempts: [{ attempt: 1, statusCode: 200 }] }],
      }),
    );
    const [request] = deliveredOf(eventId);
    if (!request) throw new Error('nothing was delivered');
    expect(verifyWebhook(request.body, request.headers, secret)).toMatchObject({ event: kind, eventId, test: true });
    expect((await shown(eventId))['body']).toBe(request.body.toString());
    expect(ok(await console.call('GET', `${EVENTS}?kind=${kind}&state=delivered`))['events']).toContainEqual(
      expect.objectContaining({ id: eventId }),
    );
  });

  it('redelivers an event with the same bytes and id', async () => {
    receiver.received.length = 0;
    const eventId = await sendTestEvent('message');
    await eventually(() => expect(deliveredOf(eventId)).toHaveLength(1));
    expect(ok(await console.call('POST', `${EVENTS}/${eventId}/replay`, {}))).toMatchObject({ deliveries: 1 });
    await eventually(() => expect(deliveredOf(eventId)).toHaveLength(2));
    const [first, second] = deliveredOf(eventId);
    expect(second?.body).toEqual(first?.body);
    await eventually(async () =>
      expect(await shown(eventId)).toMatchObject({ deliveries: [{ state: 'delivered' }, { state: 'delivered' }] }),
    );
  });

  it('treats a 410 like any other failure and retries on time', async () => {
    receiver.respondWith(answering(410, { headers: { 'retry-after': '86400' } }));
    const eventId = await sendTestEvent('message');
    await eventually(async () =>
      expect(await shown(eventId)).toMatchObject({
        deliveries: [{ state: 'pending', attempts: [{ statusCode: 410, errorClass: 'status' }] }],
      }),
    );
    expect((ok(await console.call('GET', ENDPOINTS))['endpoints'] as unknown[])[0]).toMatchObject({ state: 'enabled' });
    receiver.respondWith(answering(200));
    await eventually(
      async () => expect(await shown(eventId)).toMatchObject({ deliveries: [{ state: 'delivered', attemptsMade: 2 }] }),
      { timeoutMs: 60_000 },
    );
    const [first = 0, second = 0] = deliveredOf(eventId).map(({ receivedAt }) => receivedAt);
    expect(second - first).toBeGreaterThanOrEqual(5_000);
    expect(second - first).toBeLessThanOrEqual(6_500);
  }, 40_000);
});

function ok({ status, body }: ConsoleAnswer, expected = 200): Fields {
  expect({ status, body }).toMatchObject({ status: expected, body: { success: true } });
  return body;
}
