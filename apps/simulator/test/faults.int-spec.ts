import { eventually } from '@switchboard/testing';
import { UpstreamError } from '@switchboard/upstream';
import {
  ACCESS_TOKEN,
  CUSTOMER,
  helloWorld,
  PHONE_NUMBER_ID,
  startSimulator,
  type StartedSimulator,
} from './start-simulator';

let simulator: StartedSimulator;
beforeEach(async () => {
  simulator = await startSimulator();
});
afterEach(() => simulator.close());

const failure = (): Promise<UpstreamError> =>
  simulator.send({ biz_opaque_callback_data: 'msg_01' }).then(
    () => Promise.reject(new Error('a failure was expected')),
    (error: unknown) => (error instanceof UpstreamError ? error : Promise.reject(error)),
  );

describe('injected fault', () => {
  it('errorRate rejects with the chosen code and sends nothing', async () => {
    await simulator.control('faults', { errorRate: 1, errorCode: 130429 });
    expect(await failure()).toMatchObject({
      kind: 'rejected',
      code: 130429,
      httpStatus: 400,
      category: 'rate_limit',
      retriable: true,
    });
    expect(await simulator.control('summary')).toMatchObject({ accepted: 0 });
  });

  it('option only limits the faults to calls of one id', async () => {
    await simulator.control('faults', { only: '1', errorRate: 1, errorCode: 130429 });
    await simulator.send();
    await simulator.control('faults', { only: PHONE_NUMBER_ID, errorRate: 1, errorCode: 130429 });
    expect(await failure()).toMatchObject({ kind: 'rejected', code: 130429 });
  });

  it('dropAfterAccept accepts, cuts the connection, and reports the statuses', async () => {
    await simulator.control('faults', { dropAfterAccept: 1 });
    expect(await failure()).toMatchObject({ kind: 'unknown-outcome' });
    expect(await simulator.control('summary')).toMatchObject({ accepted: 1, distinct: 1 });
    await eventually(() =>
      expect(simulator.statuses().map((status) => status.biz_opaque_callback_data)).toEqual([
        'msg_01',
        'msg_01',
        'msg_01',
      ]),
    );
  });

  it('hang never responds and sends nothing', async () => {
    await simulator.control('faults', { hang: true });
    const body = { ...helloWorld, biz_opaque_callback_data: 'msg_01' };
    const call = simulator.client.sendMessage({
      phoneNumberId: PHONE_NUMBER_ID,
      accessToken: ACCESS_TOKEN,
      body,
      signal: AbortSignal.timeout(200),
    });
    await expect(call).rejects.toMatchObject({ kind: 'unknown-outcome' });
    expect(await simulator.control('summary')).toMatchObject({ accepted: 0 });
  });

  it('latencyMs delays the response', async () => {
    await simulator.control('faults', { latencyMs: 150 });
    const start = performance.now();
    await simulator.send();
    expect(performance.now() - start).toBeGreaterThanOrEqual(145);
  });

  it('lose drops callbacks', async () => {
    await simulator.control('faults', { callbacks: { lose: 1 } });
    await simulator.send();
    await eventually(async () =>
      expect(await simulator.control('summary')).toMatchObject({ callbacks: { lost: 3, delivered: 0 } }),
    );
    expect(simulator.receiver.received).toHaveLength(0);
  });

  it('duplicate sends callbacks twice', async () => {
    await simulator.control('faults', { callbacks: { duplicate: 1 } });
    await simulator.send();
    await eventually(() =>
      expect(
        simulator
          .statuses()
          .map(({ status }) => status)
          .sort(),
      ).toEqual(['delivered', 'delivered', 'read', 'read', 'sent', 'sent']),
    );
  });

  it('shuffle reorders callbacks without loss', async () => {
    await simulator.control('faults', { callbacks: { shuffle: 1 } });
    const ids = await Promise.all(Array.from({ length: 30 }, () => simulator.send()));
    await eventually(() => expect(simulator.statuses().length).toBe(90));
    const orderOf = (wamid: string): string =>
      simulator
        .statuses()
        .filter(({ id }) => id === wamid)
        .map(({ status }) => status)
        .join();
    expect(ids.filter((wamid) => orderOf(wamid) !== 'sent,delivered,read').length).toBeGreaterThan(0);
  });

  it('beforeAnswer sends the first callback before the response', async () => {
    await simulator.control('faults', { callbacks: { beforeAnswer: 1 } });
    const wamid = await simulator.send();
    expect(simulator.statuses()).toMatchObject([{ id: wamid, status: 'sent' }]);
    await eventually(() =>
      expect(simulator.statuses().map(({ status }) => status)).toEqual(['sent', 'delivered', 'read']),
    );
  });

  it('loseDelivered omits delivered, as when a message is read immediately', async () => {
    await simulator.control('faults', { callbacks: { loseDelivered: 1 } });
    await simulator.send();
    await eventually(() => expect(simulator.statuses().map(({ status }) => status)).toEqual(['sent', 'read']));
  });

  it('failAfterSent fails a message after it was sent', async () => {
    await simulator.control('faults', { callbacks: { failAfterSent: 1 } });
    await simulator.send();
    await eventually(() =>
      expect(simulator.statuses().map(({ status, errors }) => [status, errors?.[0]?.code])).toEqual([
        ['sent', undefined],
        ['failed', 131026],
      ]),
    );
  });

  it('is off again when omitted', async () => {
    await simulator.control('faults', { errorRate: 1 });
    expect(await simulator.control('faults', {})).toEqual({
      only: '',
      latencyMs: 0,
      errorRate: 0,
      errorCode: 131016,
      hang: 0,
      dropAfterAccept: 0,
      uploadBreaks: 0,
      mediaGone: 0,
      callbacks: { lose: 0, duplicate: 0, shuffle: 0, delayMs: 0, beforeAnswer: 0, loseDelivered: 0, failAfterSent: 0 },
    });
    await simulator.send();
  });

  it.each([{ errorRate: 2 }, { latencyMs: -1 }, { callbacks: { lose: 'x' } }])(
    'is rejected with the invalid value %j',
    async (faults) => {
      await expect(simulator.control('faults', faults)).rejects.toThrow('HTTP 400');
    },
  );
});

describe('the control API', () => {
  it.each<[string, object]>([
    ['inbound', { from: 'x', text: 'Hello' }],
    ['inbound', { from: CUSTOMER, text: '' }],
    ['inbound', { from: CUSTOMER, type: 'location' }],
    ['templates/order_update/status', { event: 'SOMETHING' }],
    ['numbers/15550783881/quality', { rating: 'BLUE' }],
  ])('rejects %s %j with 400', async (path, body) => {
    await expect(simulator.control(path, body)).rejects.toThrow('HTTP 400');
  });

  it('accepts every type of inbound message', async () => {
    for (const [type, content] of Object.entries({
      image: {},
      audio: {},
      sticker: {},
      location: { latitude: 1, longitude: 2 },
      contacts: [{}],
      reaction: { message_id: 'x' },
    })) {
      await simulator.control('inbound', { from: CUSTOMER, type, [type]: content, to: '15550783881' });
    }
    await eventually(async () =>
      expect(await simulator.control('summary')).toMatchObject({ callbacks: { delivered: 6 } }),
    );
  });

  it('discards everything on reset, including pending callbacks', async () => {
    simulator.receiver.respondWith((_request, response) => void response.writeHead(500).end());
    await simulator.send({ biz_opaque_callback_data: 'msg_01' });
    await simulator.control('templates/order_update/status', { event: 'DELETED' });
    await eventually(() => expect(simulator.receiver.received.length).toBeGreaterThan(0));
    const answer = await fetch(`${simulator.url}/_control/reset`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
    });
    expect(answer.status).toBe(200);
    expect(await simulator.control('summary')).toEqual({
      accepted: 0,
      distinct: 0,
      doubled: 0,
      doubledIds: [],
      callbacks: { delivered: 0, failedAttempts: 0, pending: 0, dropped: 0, lost: 0 },
    });
    expect((await simulator.control<{ templates: object[] }>('templates')).templates).toHaveLength(4);
  });
});
