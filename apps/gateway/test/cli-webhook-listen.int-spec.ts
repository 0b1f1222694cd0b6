import { AppError, getEventV1, listEventsV1 } from '@switchboard/contracts';
import { eventually, startReceiver, type Receiver } from '@switchboard/testing';
import { type GatewayUnderTest, startGateway } from './support/gateway';
import { type OperatorUnderTest, operatorOn, type Ran } from './support/operator';

const LOOK_BACK_MS = 10_000;
const sample = getEventV1.sample.response.event;

describe('webhooks listen', () => {
  let gateway: GatewayUnderTest;
  let operator: OperatorUnderTest;
  let receiver: Receiver;
  let accountId: string;
  let ended: AbortController;
  /** Recorded events, newest first. */
  let events: { id: string; createdAt: string }[];

  beforeAll(async () => {
    [gateway, receiver] = await Promise.all([startGateway({ standing: ['webhooks'] }), startReceiver()]);
    operator = operatorOn(gateway);
    ({ accountId = '' } = await operator.json('accounts', 'create', '--name', 'Shop', '--plan', 'growth'));
  });
  beforeEach(() => {
    events = [];
    ended = new AbortController();
    gateway.fakes.reset();
    gateway.fakes.answer(listEventsV1, ({ since = '' }) => ({
      events: events.filter(({ createdAt }) => createdAt >= String(since)).map((event) => ({ ...sample, ...event })),
      nextCursor: null,
    }));
    gateway.fakes.answer(getEventV1, ({ eventId }) => ({
      event: { ...sample, id: String(eventId), deliveries: [] },
    }));
  });
  afterAll(() => Promise.all([gateway.close(), receiver.close()]));

  const listen = (): Promise<Ran> =>
    operator.run(['webhooks', 'listen', '--account', accountId, '--forward-to', receiver.url], {}, [], ended.signal);
  const forwarded = (): unknown[] => receiver.received.map(({ headers }) => headers['webhook-id']);
  const happens = (id: string, createdAt: Date): void =>
    void events.unshift({ id, createdAt: createdAt.toISOString() });

  it('loses no event despite slow receivers or wrong clocks', async () => {
    const running = listen();
    await eventually(() => expect(gateway.fakes.of(listEventsV1).length).toBeGreaterThan(1));
    // Simulates a service whose clock is an hour ahead. The next event is long before that time.
    const ahead = Date.now() + 3_600_000;
    happens('evt_1', new Date(ahead));
    await eventually(() => expect(forwarded()).toEqual(['evt_1']));
    happens('evt_2', new Date(ahead - LOOK_BACK_MS + 1));
    await eventually(() => expect(forwarded()).toEqual(['evt_1', 'evt_2']));
    // The command polls again only after the endpoint has responded.
    const looks = gateway.fakes.of(listEventsV1).length;
    await eventually(() => expect(gateway.fakes.of(listEventsV1).length).toBeGreaterThan(looks));
    const { since } = gateway.fakes.of(listEventsV1).at(-1) as { since: string };
    expect(Date.parse(since)).toBe(ahead - LOOK_BACK_MS);
    ended.abort();
    expect(await running).toMatchObject({ code: 0, out: expect.stringMatching(/events: 2\naccepted: 2\n/) as string });
  });

  it('forwards an event once despite an outage', async () => {
    const before = forwarded().length;
    let outages = 0;
    gateway.fakes.answer(getEventV1, ({ eventId }) => {
      if ((outages += 1) <= 2) throw new AppError('UNAVAILABLE');
      return { event: { ...sample, id: String(eventId), deliveries: [] } };
    });
    const running = listen();
    await eventually(() => expect(gateway.fakes.of(listEventsV1).length).toBeGreaterThan(1));
    happens('evt_3', new Date());
    await eventually(() => expect(forwarded().slice(before)).toEqual(['evt_3']));
    const looks = gateway.fakes.of(listEventsV1).length;
    await eventually(() => expect(gateway.fakes.of(listEventsV1).length).toBeGreaterThan(looks + 1));
    ended.abort();
    expect(await running).toMatchObject({ code: 0, err: expect.stringContaining('looking again') as string });
    expect(forwarded().slice(before)).toEqual(['evt_3']);
  });

  it('does not forward events from before its start', async () => {
    const before = forwarded().length;
    happens('evt_4', new Date(Date.now() - 1_000));
    const running = listen();
    await eventually(() => expect(gateway.fakes.of(listEventsV1).length).toBeGreaterThan(2));
    ended.abort();
    expect(await running).toMatchObject({ code: 0, out: expect.stringMatching(/events: 0\n/) as string });
    expect(forwarded()).toHaveLength(before);
  });
});
