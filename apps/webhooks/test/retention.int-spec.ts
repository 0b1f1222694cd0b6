import {
  callReceivedV1,
  contactChangedV1,
  erasePersonV1,
  messageDeletedV1,
  messageEditedV1,
  messageEchoedV1,
  messageHeldV1,
  messageReceivedV1,
  newId,
  PERSONAL_EVENT_KINDS,
} from '@switchboard/contracts';
import { query } from '@switchboard/database';
import { eventually, type Receiver, startReceiver } from '@switchboard/testing';
import { Retention } from '../src/retention/retention';
import { weekOf } from '../src/retention/partitions';
import { Harness } from './harness';

const DAY_MS = 24 * 3_600_000;

describe('retention', () => {
  let harness: Harness;
  let receiver: Receiver;

  beforeAll(async () => {
    harness = await Harness.start({ WEBHOOK_LOG_DAYS: 10 });
    receiver = await startReceiver();
  }, 60_000);

  afterAll(async () => {
    await harness.stop();
    await receiver.close();
  }, 60_000);

  const partitions = async (): Promise<string[]> => {
    const rows = await query<{ name: string }>(
      harness.database.dataSource,
      `SELECT inhrelid::regclass::text AS name FROM pg_inherits WHERE inhparent = 'events'::regclass`,
    );
    return rows.map(({ name }) => name).sort();
  };
  const in_ = (days: number) => new Date(Date.now() + days * DAY_MS);

  it('drops expired weeks and creates the coming ones', async () => {
    const { accountId } = await harness.account(receiver);
    await harness.report(accountId);
    await eventually(async () => expect(await harness.deliveries(accountId)).toMatchObject([{ state: 'delivered' }]));
    const retention = harness.service().app.get(Retention);
    await retention.keepUp(in_(10));
    expect(await harness.deliveries(accountId)).toHaveLength(1);
    await retention.keepUp(in_(18));
    expect(await harness.deliveries(accountId)).toEqual([]);
    expect(await harness.attempts(accountId)).toEqual([]);
    expect(
      await query(harness.database.dataSource, 'SELECT id FROM events WHERE account_id = $1', [accountId]),
    ).toEqual([]);
    expect(await partitions()).not.toContain(`events_${weekOf(new Date()).name}`);
    expect(await partitions()).toContain(`events_${weekOf(in_(18 + 21)).name}`);
  });

  it("erases a contact's events in one account only", async () => {
    const { accountId } = await harness.account(receiver);
    const other = await harness.account(receiver);
    for (const to of ['4915112345678', '4915112345678', '4915199999999']) await harness.report(accountId, { to });
    await harness.report(other.accountId, { to: '4915112345678' });
    const delivered = async (id: string) =>
      (await harness.deliveries(id)).filter(({ state }) => state === 'delivered').length;
    await eventually(async () =>
      expect([await delivered(accountId), await delivered(other.accountId)]).toEqual([3, 1]),
    );
    const erase = (dryRun: boolean) =>
      harness.others.request(erasePersonV1, { accountId, phone: '4915112345678', dryRun });
    expect(await erase(true)).toEqual({ events: 2, done: true });
    expect(await delivered(accountId)).toBe(3);
    expect(await erase(false)).toEqual({ events: 2, done: true });
    expect([
      await delivered(accountId),
      (await harness.attempts(accountId)).length,
      await delivered(other.accountId),
    ]).toEqual([1, 1, 1]);
    const bodies = await query<{ body: Buffer }>(
      harness.database.dataSource,
      'SELECT body FROM events WHERE account_id = $1',
      [accountId],
    );
    expect(bodies.map(({ body }) => body.toString()).join('')).not.toContain('4915112345678');
  });

  it('erases a contact by every identifier', async () => {
    const { accountId } = await harness.account(receiver);
    for (const to of ['551187654321', '5511987654321', 'BR.77', '4915199999999'])
      await harness.report(accountId, { to });
    await eventually(async () =>
      expect((await harness.deliveries(accountId)).filter(({ state }) => state === 'delivered').length).toBe(4),
    );
    const erase = (dryRun: boolean) =>
      harness.others.request(erasePersonV1, {
        accountId,
        phone: '5511987654321',
        alsoKnownAs: ['551187654321', 'BR.77'],
        dryRun,
      });
    expect([await erase(true), await erase(false), await erase(true)]).toEqual(
      [3, 3, 0].map((events) => ({ events, done: true })),
    );
    expect(await harness.deliveries(accountId)).toHaveLength(1);
  });

  it('erases personal events of every kind', async () => {
    const { accountId } = await harness.account(receiver);
    const about = { accountId, id: newId('msg'), from: '4915112345678', upstreamId: `wamid.${newId('msg')}` };
    await harness.others.publish(messageReceivedV1, { ...messageReceivedV1.sample, ...about });
    await harness.others.publish(messageEditedV1, { ...messageEditedV1.sample, ...about, editId: newId('evt') });
    await harness.others.publish(messageDeletedV1, { ...messageDeletedV1.sample, ...about });
    await harness.others.publish(contactChangedV1, { ...contactChangedV1.sample, ...about, phone: '4915112345678' });
    await harness.others.publish(callReceivedV1, { ...callReceivedV1.sample, ...about });
    await harness.others.publish(messageEchoedV1, { ...messageEchoedV1.sample, accountId, to: '4915112345678' });
    await harness.others.publish(messageHeldV1, { ...messageHeldV1.sample, accountId, to: '4915112345678' });
    await harness.report(accountId, { to: '4915112345678' });
    await eventually(async () =>
      expect((await harness.deliveries(accountId)).filter(({ state }) => state === 'delivered').length).toBe(
        PERSONAL_EVENT_KINDS.length,
      ),
    );
    const erased = await harness.others.request(erasePersonV1, { accountId, phone: '4915112345678', dryRun: false });
    expect(erased).toEqual({ events: PERSONAL_EVENT_KINDS.length, done: true });
    expect(await harness.deliveries(accountId)).toEqual([]);
  });

  it('drops waiting deliveries together with their expired events', async () => {
    const { accountId } = await harness.account(receiver, (_request, response) => response.writeHead(500).end());
    await query(harness.database.dataSource, 'UPDATE endpoints SET paused_at = now() WHERE account_id = $1', [
      accountId,
    ]);
    await harness.report(accountId, { id: newId('msg') });
    await eventually(async () => expect(await harness.deliveries(accountId)).toMatchObject([{ state: 'pending' }]));
    await harness.service().app.get(Retention).keepUp(in_(40));
    expect(await harness.deliveries(accountId)).toEqual([]);
  });
});
