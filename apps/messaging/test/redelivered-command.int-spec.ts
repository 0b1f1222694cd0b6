import { newId, templateSample, templateContentChangedV1 } from '@switchboard/contracts';
import { eventually } from '@switchboard/testing';
import { type RunningMessaging, startMessaging, type TestAccount } from './support/start-messaging';

describe('a redelivered send command', () => {
  let messaging: RunningMessaging;
  let account: TestAccount;

  beforeAll(async () => {
    messaging = await startMessaging({ replicas: 2, upstreamTimeoutMs: 5_000 });
    account = await messaging.addAccount();
    await messaging.writeIn(account);
  });
  beforeEach(() => messaging.upstream.behave('accept'));
  afterAll(() => messaging.stop());

  const send = (id: string) => messaging.send(account.accountId, { text: { body: 'Hello' } }, id);
  const sendsOf = (id: string) => messaging.upstream.sends.filter(({ echo }) => echo === id);

  it('is sent once with the same response', async () => {
    const id = newId('msg');
    const first = await send(id);
    await expect(send(id)).resolves.toEqual(first);
    expect(sendsOf(id)).toHaveLength(1);
  });

  it('is sent once when both deliveries are concurrent', async () => {
    const ids = Array.from({ length: 20 }, () => newId('msg'));
    await Promise.allSettled(ids.flatMap((id) => [send(id), send(id), send(id)]));
    expect(
      messaging.upstream.sends
        .map(({ echo }) => echo)
        .filter((echo) => ids.includes(echo))
        .sort(),
    ).toEqual(ids.sort());
  });

  it('is not sent after a crash between row and call', async () => {
    const id = newId('msg');
    await messaging.dataSource.query(
      `INSERT INTO messages (id, account_id, number_id, direction, sender, recipient, type, content, state, sending_since, send_attempts)
       VALUES ($1, $2, $3, 'outbound', '1', '919812345678', 'text', '{"body":"Hello"}', 'sending', now(), 1)`,
      [id, account.accountId, account.numberId],
    );
    await expect(send(id)).rejects.toMatchObject({ code: 'UPSTREAM_TIMEOUT' });
    expect(sendsOf(id)).toEqual([]);
  });

  it('fails with the same error after the window closed', async () => {
    const id = newId('msg');
    messaging.upstream.behave({ refuseWith: 131026 });
    await expect(send(id)).rejects.toMatchObject({ code: 'INVALID_VALUE' });
    await messaging.dataSource.query("UPDATE service_windows SET last_inbound_at = now() - interval '2 days'");
    await expect(send(id)).rejects.toMatchObject({ code: 'INVALID_VALUE' });
    await messaging.dataSource.query('UPDATE service_windows SET last_inbound_at = now()');
    expect(sendsOf(id)).toHaveLength(1);
  });

  it('returns the stored result after its template was paused', async () => {
    messaging.templates.set('order_update', { ...templateSample, components: [{ type: 'BODY', text: 'Hello' }] });
    const sendTemplate = (id: string) =>
      messaging.send(
        account.accountId,
        { type: 'template', template: { name: 'order_update', language: { code: 'en_US' } } },
        id,
      );
    const id = newId('msg');
    const first = await sendTemplate(id);
    messaging.templates.set('order_update', { ...templateSample, status: 'FLAGGED' });
    const change = { accountId: account.accountId, templateName: 'order_update' };
    await messaging.gateway.publish(templateContentChangedV1, change);
    await eventually(() => expect(sendTemplate(newId('msg'))).rejects.toMatchObject({ code: 'TEMPLATE_NOT_APPROVED' }));
    // Repeat often enough to reach both replicas: the one that received the event, and the one that may still have the
    // template cached.
    const again = await Promise.all(Array.from({ length: 6 }, () => sendTemplate(id)));
    for (const answer of again) expect(answer).toEqual(first);
    expect(sendsOf(id)).toHaveLength(1);
  });
});
