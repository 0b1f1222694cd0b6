import { labelsOf } from '@switchboard/contracts';
import { eventually } from '@switchboard/testing';
import { type RunningMessaging, startMessaging, type TestAccount } from './support/start-messaging';

describe('a message held by the platform', () => {
  let messaging: RunningMessaging;
  let account: TestAccount;

  beforeAll(async () => {
    messaging = await startMessaging({ replicas: 2 });
  });
  beforeEach(async () => {
    account = await messaging.addAccount();
    await messaging.writeIn(account);
  });
  afterEach(() => messaging.upstream.behave('accept'));
  afterAll(() => messaging.stop());

  const send = (clientRef = 'order-1') =>
    messaging.send(account.accountId, { type: 'text', text: { body: 'Hello' }, clientRef });
  const recordOf = async (id: string) =>
    (await messaging.list(account.accountId)).messages.find((message) => message.id === id);
  const heldOf = (id: string) => messaging.heldEvents.filter((event) => event.id === id);
  const report = (upstreamId: string, status: string, more: object = {}) =>
    messaging.callback(account.phoneNumberId, {
      statuses: [{ id: upstreamId, status, timestamp: String(Math.floor(Date.now() / 1_000)), ...more }],
    });

  it.each([
    ['held_for_quality_assessment', 'quality_assessment'],
    ['paused', 'paused'],
  ])('is accepted, shown as held and published once (status %s)', async (acceptWith, reason) => {
    messaging.upstream.behave({ acceptWith });
    const { id, upstreamId } = await send();
    expect(await recordOf(id)).toMatchObject({ status: 'accepted', held: true });
    await eventually(() => expect(heldOf(id).length).toBe(1));
    expect(heldOf(id)).toEqual([
      {
        accountId: account.accountId,
        id,
        upstreamId,
        to: '919812345678',
        reason,
        ...labelsOf({ clientRef: 'order-1' }),
        jobId: null,
        timestamp: expect.any(String),
      },
    ]);
    await messaging.settled();
    expect(heldOf(id)).toHaveLength(1);
  });

  it('is released when the platform sends it', async () => {
    messaging.upstream.behave({ acceptWith: 'held_for_quality_assessment' });
    const { id, upstreamId } = await send();
    await report(String(upstreamId), 'sent');
    await eventually(async () => expect(await recordOf(id)).toMatchObject({ status: 'sent', held: false }));
  });

  it('is released when the platform drops it', async () => {
    messaging.upstream.behave({ acceptWith: 'held_for_quality_assessment' });
    const { id, upstreamId } = await send();
    await report(String(upstreamId), 'failed', { errors: [{ code: 132015, title: 'Template is paused' }] });
    await eventually(async () =>
      expect(await recordOf(id)).toMatchObject({ status: 'failed', held: false, error: { code: 132015 } }),
    );
  });

  it('is not marked as held if it is only accepted', async () => {
    messaging.upstream.behave({ acceptWith: 'accepted' });
    const { id } = await send();
    expect(await recordOf(id)).toMatchObject({ status: 'accepted', held: false });
    await messaging.settled();
    expect(heldOf(id)).toEqual([]);
  });

  it('does not affect concurrent sends', async () => {
    messaging.upstream.behave({ acceptWith: 'held_for_quality_assessment' });
    const held = await Promise.all(Array.from({ length: 12 }, (_each, index) => send(`order-${index}`)));
    await eventually(() => expect(held.map(({ id }) => heldOf(id).length)).toEqual(held.map(() => 1)));
    const records = await Promise.all(held.map(({ id }) => recordOf(id)));
    expect(records.map((record) => record?.held)).toEqual(held.map(() => true));
    expect(records.map((record) => record?.upstreamId)).toEqual(held.map(({ upstreamId }) => upstreamId));
  });
});
