import { getEndpointStatisticsV1, MOST_FIGURE_DELIVERIES, newId } from '@switchboard/contracts';
import { query } from '@switchboard/database';
import { answering, eventually, type Receiver, startReceiver } from '@switchboard/testing';
import { Harness } from './harness';

/** Inserts recorded deliveries. Each has a duration in milliseconds equal to its number. */
const DELIVERIES = `
  WITH given AS (
    SELECT n, 'dlv_' || $4::text || lpad(n::text, 20, '0') AS id, 'evt_zzz' || lpad(n::text, 19, '0') AS event_id
    FROM generate_series(1, $3::int) AS n
  ), ended AS (
    INSERT INTO deliveries (id, account_id, endpoint_id, event_id, state, attempts_made, created_at, finished_at)
    SELECT id, $1, $2, event_id, CASE WHEN n % 4 = 0 THEN 'dropped' ELSE 'delivered' END, 2, now(), now() FROM given
  )
  INSERT INTO attempts (delivery_id, attempt, account_id, url, started_at, finished_at, duration_ms)
  SELECT id, attempt, $1, 'https://example.com', now(), now(), CASE attempt WHEN 2 THEN n ELSE 9999 END
  FROM given CROSS JOIN generate_series(1, 2) AS attempt`;

describe('endpoint statistics', () => {
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

  const since = new Date(Date.now() - 3_600_000).toISOString();
  const figures = async (accountId: string, from = since) =>
    (await harness.others.request(getEndpointStatisticsV1, { accountId, since: from })).figures;

  it("summarise an account's deliveries since a given time", async () => {
    const { accountId } = await harness.account(receiver, answering(200));
    const none = { delivered: 0, dropped: 0, pending: 0, areAll: true, lastSuccessAt: null, p95DurationMs: null };
    expect(await figures(accountId)).toMatchObject([none]);
    await harness.report(accountId);
    await eventually(async () =>
      expect(await figures(accountId)).toMatchObject([
        {
          ...none,
          delivered: 1,
          lastSuccessAt: expect.any(String) as string,
          p95DurationMs: expect.any(Number) as number,
        },
      ]),
    );
    receiver.respondWith(answering(500));
    await harness.report(accountId);
    await eventually(async () => expect(await figures(accountId)).toMatchObject([{ delivered: 1, pending: 1 }]));
    expect(await figures(accountId, new Date(Date.now() + 60_000).toISOString())).toMatchObject([
      { ...none, pending: 1 },
    ]);
    expect(await figures(newId('acc'))).toEqual([]);
  });

  it('cover only the newest deliveries', async () => {
    const { accountId } = await harness.account(receiver);
    const [endpoint] = await figures(accountId);
    const record = (count: number, name: string) =>
      query(harness.database.dataSource, DELIVERIES, [accountId, endpoint?.endpointId, count, name]);
    await record(100, 'zzzzza');
    expect(await figures(accountId)).toMatchObject([{ delivered: 75, dropped: 25, areAll: true, p95DurationMs: 95 }]);
    await record(MOST_FIGURE_DELIVERIES - 100, 'zzzzzb');
    expect(await figures(accountId)).toMatchObject([{ delivered: 375, dropped: 125, areAll: true }]);
    await record(MOST_FIGURE_DELIVERIES, 'zzzzzc');
    const [many] = await figures(accountId);
    expect(many).toMatchObject({ areAll: false });
    expect((many?.delivered ?? 0) + (many?.dropped ?? 0)).toBe(MOST_FIGURE_DELIVERIES);
  });
});
