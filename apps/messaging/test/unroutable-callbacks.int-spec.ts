import { addNumberV1, newId } from '@switchboard/contracts';
import { counter } from '@switchboard/platform';
import { eventually } from '@switchboard/testing';
import { ACCESS_TOKEN, inboundText, type RunningMessaging, sealed, startMessaging } from './support/start-messaging';

describe('callbacks about an unknown number', () => {
  let messaging: RunningMessaging;

  beforeAll(async () => {
    messaging = await startMessaging({ replicas: 2 });
  });
  afterAll(() => messaging.stop());

  const sql = <Row>(text: string, ...params: unknown[]): Promise<Row[]> => messaging.dataSource.query(text, params);
  const kept = async (phoneNumberId: string): Promise<number> =>
    (await sql('SELECT id FROM unowned_callbacks WHERE phone_number_id = $1', phoneNumberId)).length;
  const refused = async (): Promise<number | undefined> =>
    (await counter('messaging_unowned_callbacks_total', '', { outcome: [] }).get()).values.find(
      ({ labels }) => labels.outcome === 'refused',
    )?.value;
  const eventsOf = (upstreamId: string) => messaging.inboundEvents.filter((event) => event.upstreamId === upstreamId);

  it('are applied when the number is added', async () => {
    const phoneNumberId = '200000000099001';
    const messages = [inboundText({ text: 'a\u0000b' }), inboundText()];
    for (const message of [...messages, messages[0] ?? {}])
      await messaging.callback(phoneNumberId, { messages: [message] });
    await messaging.settled();
    expect(await kept(phoneNumberId)).toBe(3);
    const accountId = newId('acc');
    await messaging.gateway.request(addNumberV1, {
      accountId,
      phoneNumber: '15550789001',
      phoneNumberId,
      wabaId: '100000000000001',
      sealedAccessToken: sealed(ACCESS_TOKEN, accountId),
    });
    await eventually(() => expect(messages.map(({ id }) => eventsOf(id).length)).toEqual([1, 1]));
    const stored = (await messaging.list(accountId)).messages.map(({ upstreamId }) => upstreamId);
    expect(stored.toSorted()).toEqual(messages.map(({ id }) => id).toSorted());
    expect(await kept(phoneNumberId)).toBe(0);
  });

  it('are applied in parts if too large for an event', async () => {
    const phoneNumberId = '200000000099003';
    const messages = Array.from({ length: 20 }, () => inboundText({ text: '€'.repeat(4_096) }));
    const value = { messaging_product: 'whatsapp', metadata: { phone_number_id: phoneNumberId }, messages };
    const body = JSON.stringify({ callbackId: newId('cb'), wabaId: '100000000000001', value });
    await sql(
      'INSERT INTO unowned_callbacks (id, phone_number_id, body) VALUES ($1, $2, $3)',
      newId('prk'),
      phoneNumberId,
      body,
    );
    const accountId = newId('acc');
    const number = { phoneNumber: '15550789003', phoneNumberId, wabaId: '100000000000001' };
    const sealedAccessToken = sealed(ACCESS_TOKEN, accountId);
    await messaging.gateway.request(addNumberV1, { accountId, ...number, sealedAccessToken });
    await eventually(() => expect(messages.map(({ id }) => eventsOf(id).length)).toEqual(Array(20).fill(1)));
    expect(await kept(phoneNumberId)).toBe(0);
  });

  it('are stored for a day, up to a thousand per number', async () => {
    const phoneNumberId = '200000000099002';
    await sql(
      "INSERT INTO unowned_callbacks (id, phone_number_id, body) SELECT 'prk_' || n, $1, '{}' FROM generate_series(1, 1000) AS n",
      phoneNumberId,
    );
    await messaging.callback(phoneNumberId, { messages: [inboundText()] });
    await eventually(async () => expect(await refused()).toBe(1));
    expect(await kept(phoneNumberId)).toBe(1_000);
    await sql(
      "UPDATE unowned_callbacks SET received_at = now() - interval '25 hours' WHERE phone_number_id = $1",
      phoneNumberId,
    );
    await eventually(async () => expect(await kept(phoneNumberId)).toBe(0));
  });
});
