import { getDeliveryStatisticsV1, listEventsV1, replayDroppedV1 } from '@switchboard/contracts';
import { answering, eventually, type Receiver, startReceiver } from '@switchboard/testing';
import { Harness } from './harness';

describe('delivery statistics', () => {
  let harness: Harness;
  let receiver: Receiver;

  beforeAll(async () => {
    harness = await Harness.start();
    receiver = await startReceiver();
  }, 60_000);
  afterAll(async () => {
    await harness.stop();
    await receiver.close();
  }, 60_000);

  const statisticsOf = async (accountId: string, unit: 'hour' | 'day') =>
    (await harness.others.request(getDeliveryStatisticsV1, { accountId, unit, count: 2 })).figures;

  it('count delivered and dropped deliveries as the log lists them', async () => {
    const { accountId } = await harness.account(receiver);
    expect(await statisticsOf(accountId, 'day')).toEqual([]);
    for (let number = 0; number < 3; number += 1) await harness.report(accountId);
    await eventually(async () => expect(await statisticsOf(accountId, 'hour')).toMatchObject([{ delivered: 3 }]));
    receiver.respondWith(answering(500));
    for (let number = 0; number < 2; number += 1) await harness.report(accountId);
    await eventually(
      async () => {
        await harness.makeDue(accountId);
        expect(await statisticsOf(accountId, 'day')).toMatchObject([{ delivered: 3, dropped: 2 }]);
      },
      { timeoutMs: 20_000 },
    );
    const listed = async (state: 'delivered' | 'dropped') =>
      (await harness.others.request(listEventsV1, { accountId, limit: 100, state })).events.length;
    expect([await listed('delivered'), await listed('dropped')]).toEqual([3, 2]);

    receiver.respondWith(answering(200));
    await harness.others.request(replayDroppedV1, { accountId, since: new Date(0).toISOString() });
    await eventually(async () =>
      expect(await statisticsOf(accountId, 'day')).toMatchObject([{ delivered: 5, dropped: 2 }]),
    );
    const day = new Date().toISOString().slice(0, 10);
    expect((await statisticsOf(accountId, 'day'))[0]?.at).toBe(`${day}T00:00:00.000Z`);
  }, 60_000);

  it('exclude other accounts', async () => {
    const { accountId } = await harness.account(receiver);
    expect(await statisticsOf(accountId, 'day')).toEqual([]);
  });
});
