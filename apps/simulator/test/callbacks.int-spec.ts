import { eventually } from '@switchboard/testing';
import { callbacksOf, CUSTOMER, startSimulator, type StartedSimulator } from './start-simulator';

let simulator: StartedSimulator;
beforeEach(async () => {
  simulator = await startSimulator();
});
afterEach(() => simulator.close());

const inbound = (text: string) =>
  simulator.control<{ messageId: string }>('inbound', { from: CUSTOMER, type: 'text', text, name: 'Añá' });
const inboundTexts = () =>
  callbacksOf(simulator.receiver).flatMap(({ messages }) => messages.flatMap(({ value }) => value.messages ?? []));

describe('callbacks', () => {
  it('deliver inbound messages as escaped and signed bytes', async () => {
    const { messageId } = await inbound('Größe 1/2 👍');
    await eventually(() => expect(inboundTexts().length).toBe(1));
    const { body, headers } = simulator.receiver.received[0]!;
    expect(headers['content-type']).toBe('application/json');
    expect(body.toString('latin1')).toContain(String.raw`Gr\u00f6\u00dfe 1\/2 \ud83d\udc4d`);
    expect(inboundTexts()[0]).toMatchObject({
      id: messageId,
      from: CUSTOMER,
      type: 'text',
      text: { body: 'Größe 1/2 👍' },
    });
    const [callback] = callbacksOf(simulator.receiver);
    expect(callback?.messages[0]?.value.contacts).toEqual([
      { profile: { name: 'Añá' }, wa_id: CUSTOMER, user_id: expect.any(String) },
    ]);
  });

  it('declare HTTPS if configured, including for the challenge', async () => {
    const byHttps = await startSimulator({ callbackHeaders: { 'x-forwarded-proto': 'https' } });
    await byHttps.control('verify', {});
    await byHttps.control('inbound', { from: CUSTOMER, type: 'text', text: 'Hello' });
    await eventually(() =>
      expect(byHttps.receiver.received.map(({ method, headers }) => [method, headers['x-forwarded-proto']])).toEqual([
        ['GET', 'https'],
        ['POST', 'https'],
      ]),
    );
    await byHttps.close();
  });

  it('are retried with the same bytes until the receiver returns 200', async () => {
    let refusals = 0;
    const answers = [500, 201, 503];
    simulator.receiver.respondWith((_request, response) => {
      response.writeHead(answers[refusals] ?? 200).end();
      refusals += 1;
    });
    await inbound('Hello');
    await eventually(() => expect(simulator.receiver.received.length).toBe(4));
    const bodies = new Set(
      simulator.receiver.received.map(
        ({ body, headers }) => `${headers['x-hub-signature-256']}${body.toString('latin1')}`,
      ),
    );
    expect(bodies.size).toBe(1);
    await eventually(async () =>
      expect(await simulator.control('summary')).toMatchObject({
        callbacks: { delivered: 1, failedAttempts: 3, pending: 0 },
      }),
    );
  });

  it('are batched while the receiver is busy, without loss', async () => {
    const held: (() => void)[] = [];
    simulator.receiver.respondWith((_request, response) => void held.push(() => response.end()));
    await Promise.all(Array.from({ length: 300 }, () => simulator.send()));
    await eventually(async () =>
      expect(await simulator.control('summary')).toMatchObject({ callbacks: { pending: 900 } }),
    );
    simulator.receiver.respondWith((_request, response) => void response.end());
    held.forEach((answer) => answer());
    await eventually(() => expect(simulator.statuses().length).toBe(900));
    expect(simulator.receiver.received.length).toBeLessThan(60);
    expect(new Set(simulator.statuses().map(({ id, status }) => id + status)).size).toBe(900);
  });

  it("report a changed template with an integer id and the entry's time", async () => {
    await simulator.control('templates/order_update/status', { language: 'en_US', event: 'PAUSED' });
    await eventually(() => expect(callbacksOf(simulator.receiver).length).toBe(1));
    expect(callbacksOf(simulator.receiver)[0]?.templates).toEqual([
      {
        wabaId: '100000000000001',
        time: expect.any(Number),
        field: 'message_template_status_update',
        value: {
          event: 'PAUSED',
          message_template_id: 1387372356726668,
          message_template_name: 'order_update',
          message_template_language: 'en_US',
          reason: 'NONE',
          message_template_category: 'UTILITY',
        },
      },
    ]);
    await expect(
      simulator.send({ template: { name: 'order_update', language: { code: 'en_US' } } }),
    ).rejects.toMatchObject({ code: 132015 });
  });

  it('start after the receiver has passed the challenge', async () => {
    expect(await simulator.control('verify', {})).toEqual({ verified: true });
    simulator.receiver.respondWith((_request, response) => void response.end('"123"'));
    expect(await simulator.control('verify', {})).toMatchObject({ verified: false });
  });
});
