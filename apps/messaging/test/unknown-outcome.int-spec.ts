import { newId } from '@switchboard/contracts';
import { eventually } from '@switchboard/testing';
import { type RunningMessaging, startMessaging, type TestAccount } from './support/start-messaging';
import { wamidOf } from './support/upstream';

const GRACE_SECONDS = 2;

describe('a send without a known outcome', () => {
  let messaging: RunningMessaging;
  let account: TestAccount;

  beforeAll(async () => {
    messaging = await startMessaging({ graceSeconds: GRACE_SECONDS, replicas: 2 });
    account = await messaging.addAccount();
    await messaging.writeIn(account);
  });
  beforeEach(() => messaging.upstream.behave('accept'));
  afterAll(() => messaging.stop());

  const send = (id: string) => messaging.send(account.accountId, { text: { body: 'Hello' } }, id);
  const sendsOf = (id: string) => messaging.upstream.sends.filter(({ echo }) => echo === id);
  const rowOf = async (id: string) => (await messaging.dataSource.query('SELECT * FROM messages WHERE id = $1', [id]))[0];
  const status = (fields: object) => ({ statuses: [{ status: 'sent', timestamp: '1790416830', recipient_id: '919812345678', ...fields }] });

  it('is settled by the callback that echoes our id, and never sent again', async () => {
    const id = newId('msg');
    messaging.upstream.behave('accept-then-cut');
    await expect(send(id)).rejects.toMatchObject({ code: 'UPSTREAM_TIMEOUT' });
    expect(await rowOf(id)).toMatchObject({ state: 'unknown', upstream_id: null });
    messaging.upstream.behave('accept');
    await messaging.callback(account.phoneNumberId, status({ id: 'wamid.settles', biz_opaque_callback_data: id }));
    await eventually(async () => expect(await rowOf(id)).toMatchObject({ state: 'sent', upstream_id: 'wamid.settles' }));
    await expect(send(id)).resolves.toEqual({ id, upstreamId: 'wamid.settles' });
    await eventually(async () => expect((await rowOf(id)).sending_since.getTime()).toBeLessThan(Date.now() - (GRACE_SECONDS + 2) * 1_000));
    expect(sendsOf(id)).toHaveLength(1);
  });

  it('is sent again with the same id once the grace has passed, by one replica only', async () => {
    const ids = Array.from({ length: 10 }, () => newId('msg'));
    messaging.upstream.behave('hang');
    await Promise.all(ids.map((id) => expect(send(id)).rejects.toMatchObject({ code: 'UPSTREAM_TIMEOUT' })));
    messaging.upstream.behave('accept');
    expect(ids.flatMap(sendsOf)).toHaveLength(ids.length);
    for (const id of ids) await eventually(async () => expect(await rowOf(id)).toMatchObject({ state: 'accepted', send_attempts: 2 }));
    expect(ids.flatMap(sendsOf)).toHaveLength(2 * ids.length);
    expect(await rowOf(ids[0] ?? '')).toMatchObject({ upstream_id: expect.stringMatching(/^wamid\.OUT/) });
  });

  it('is never touched before the grace has passed', async () => {
    const id = newId('msg');
    messaging.upstream.behave('hang');
    const begunAt = Date.now();
    await expect(send(id)).rejects.toMatchObject({ code: 'UPSTREAM_TIMEOUT' });
    await eventually(() => expect(sendsOf(id)).toHaveLength(2));
    expect(Date.now() - begunAt).toBeGreaterThanOrEqual(GRACE_SECONDS * 1_000);
    messaging.upstream.behave('accept');
    await eventually(async () => expect(await rowOf(id)).toMatchObject({ state: 'accepted' }));
  });

  it.each([
    ['after five sends', 'send_attempts = 5'],
    ['after an hour', "created_at = now() - interval '61 minutes'"],
  ])('fails with a reason and one event %s', async (_title, change) => {
    const id = newId('msg');
    messaging.upstream.behave('hang');
    await expect(send(id)).rejects.toMatchObject({ code: 'UPSTREAM_TIMEOUT' });
    await messaging.dataSource.query(`UPDATE messages SET ${change}, sending_since = now() WHERE id = $1`, [id]);
    // One; two on a machine so slow that the grace passed before the change.
    const sentBefore = sendsOf(id).length;
    await eventually(async () => expect(await rowOf(id)).toMatchObject({ state: 'failed', error: { code: 0, category: 'other' } }));
    const eventsOf = () => messaging.statusEvents.filter((event) => event.id === id);
    await eventually(() => expect(eventsOf()).toMatchObject([{ status: 'failed', upstreamId: id, error: { code: 0, category: 'other' } }]));
    expect(sendsOf(id)).toHaveLength(sentBefore);
  });

  it('fails with the reason of the upstream platform when that refuses the repetition for good', async () => {
    const id = newId('msg');
    messaging.upstream.behave('hang');
    await expect(send(id)).rejects.toMatchObject({ code: 'UPSTREAM_TIMEOUT' });
    messaging.upstream.behave({ refuseWith: 131026 });
    await eventually(() => expect(messaging.statusEvents.filter((event) => event.id === id)).toMatchObject([{ status: 'failed', error: { code: 131026 } }]));
    // The first call may have gone out all the same: a delivery beats the failure.
    await messaging.callback(account.phoneNumberId, status({ id: wamidOf(999), status: 'delivered', biz_opaque_callback_data: id }));
    await eventually(async () => expect(await rowOf(id)).toMatchObject({ state: 'delivered' }));
  });
});
