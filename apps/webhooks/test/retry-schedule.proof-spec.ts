import { newId, switchEndpointV1, updateEndpointV1 } from '@switchboard/contracts';
import { query } from '@switchboard/database';
import { answering, eventually, type Receiver, startReceiver } from '@switchboard/testing';
import { Harness } from './harness';

const DELAYS = [5, 30, 300, 1800];
const EXTENDED_DELAYS = [7_200, 21_600, 43_200, 86_400, 86_400];
/** The attempt whose process dies, so that no result arrives. */
const DIED_AT = 5;
/** Rest of each delay that passes in real time, after the account's clock was advanced. */
const LEFT_SECONDS = 2;

describe('the retry schedule', () => {
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

  it('makes five attempts on time, then drops (guarantee 6 of ADR 41)', async () => {
    const { accountId } = await harness.account(receiver, answering(503));
    const count = 20;
    for (let number = 0; number < count; number += 1) await harness.report(accountId);
    const skippedSeconds: number[] = [];
    for (const [index, delay] of DELAYS.entries()) {
      await eventually(async () => {
        const waiting = await harness.deliveries(accountId);
        expect(
          waiting.filter(({ attempts_made, claimed_until }) => attempts_made === index + 1 && claimed_until === null)
            .length,
        ).toBe(count);
      });
      // The first delay passes entirely in real time, later ones only for the last seconds.
      const skip = index === 0 ? 0 : delay - LEFT_SECONDS;
      if (skip > 0) await harness.passTime(accountId, skip);
      skippedSeconds.push(skip);
    }
    await eventually(async () =>
      expect((await harness.deliveries(accountId)).filter(({ state }) => state === 'dropped').length).toBe(count),
    );
    const gaps = await query<{ attempt: number; gap: number }>(
      harness.database.dataSource,
      `SELECT before.attempt, extract(epoch FROM after.started_at - before.finished_at)::float8 AS gap
       FROM attempts before JOIN attempts after ON after.delivery_id = before.delivery_id
         AND after.attempt = before.attempt + 1
       WHERE before.account_id = $1`,
      [accountId],
    );
    expect(gaps).toHaveLength(4 * count);
    const outside = gaps.filter(({ attempt, gap }) => {
      const delay = DELAYS[attempt - 1] ?? NaN;
      const whole = gap + (skippedSeconds[attempt - 1] ?? NaN);
      return whole < delay || whole > delay * 1.1 + 1;
    });
    expect(outside).toEqual([]);
    expect(receiver.received).toHaveLength(5 * count);
    // Every attempt has the same bytes, and therefore the same eventId.
    expect(new Set(receiver.received.map(({ body }) => body.toString())).size).toBe(count);
  }, 60_000);

  it('is met at an unresponsive endpoint with waiting first attempts', async () => {
    const accountId = newId('acc');
    const own = await startReceiver();
    // Three slots, which first attempts alone would fill for 30 s.
    await harness.endpoint(accountId, own);
    own.respondWith(() => undefined);
    const count = 8;
    for (let number = 0; number < count; number += 1) await harness.report(accountId);
    const gapsSql = `
      SELECT extract(epoch FROM after.started_at - before.finished_at)::float8 AS gap
      FROM attempts before JOIN attempts after ON after.delivery_id = before.delivery_id
        AND after.attempt = before.attempt + 1
      WHERE before.account_id = $1 AND before.attempt = 1`;
    const gapsOf = async (): Promise<number[]> =>
      (await query<{ gap: number }>(harness.database.dataSource, gapsSql, [accountId])).map(({ gap }) => gap);
    await eventually(async () => expect((await gapsOf()).length).toBe(count), { timeoutMs: 150_000 });
    expect((await gapsOf()).filter((gap) => gap < 5 || gap > 6.5)).toEqual([]);
    await own.close();
  }, 180_000);

  it('starts a retry before waiting first attempts', async () => {
    const accountId = newId('acc');
    const own = await startReceiver();
    const { id: endpointId } = await harness.endpoint(accountId, own, { maxInFlight: 1 });
    own.respondWith(answering(503));
    await harness.report(accountId);
    await eventually(async () =>
      expect(await harness.deliveries(accountId)).toMatchObject([{ attempts_made: 1, claimed_until: null }]),
    );
    await harness.others.request(switchEndpointV1, { accountId, endpointId, enabled: false });
    for (let number = 0; number < 3; number += 1) await harness.report(accountId);
    await eventually(async () => expect((await harness.deliveries(accountId)).length).toBe(4));
    // The retry comes due after all first attempts.
    await harness.makeDue(accountId);
    own.respondWith(answering(200));
    await harness.others.request(switchEndpointV1, { accountId, endpointId, enabled: true });
    await eventually(() => expect(own.received.length).toBe(5));
    expect(own.received.map(({ headers }) => headers['x-service-attempt'])).toEqual(['1', '2', '1', '1', '1']);
    await own.close();
  });

  it('continues for three days with the extended schedule', async () => {
    const accountId = newId('acc');
    const own = await startReceiver();
    await harness.endpoint(accountId, own, { retrySchedule: 'extended' });
    own.respondWith(answering(503));
    await harness.report(accountId);
    for (const [index, delay] of [...DELAYS, ...EXTENDED_DELAYS].entries()) {
      await eventually(async () =>
        expect(await harness.deliveries(accountId)).toMatchObject([{ attempts_made: index + 1, claimed_until: null }]),
      );
      const [waiting] = await harness.deliveries(accountId);
      const seconds = ((waiting?.next_attempt_at?.getTime() ?? 0) - Date.now()) / 1_000;
      expect(seconds).toBeGreaterThan(delay - 5);
      expect(seconds).toBeLessThanOrEqual(delay);
      // A dead process has claimed the sixth attempt. The attempt counts, and the schedule continues.
      if (index + 1 === DIED_AT)
        await query(
          harness.database.dataSource,
          "UPDATE pending_deliveries SET attempts_made = attempts_made + 1, started_at = now(), claimed_until = now() - interval '1 second' WHERE account_id = $1",
          [accountId],
        );
      else await harness.passTime(accountId, delay - LEFT_SECONDS);
    }
    await eventually(async () =>
      expect(await harness.deliveries(accountId)).toMatchObject([{ state: 'dropped', attempts_made: 10 }]),
    );
    expect(own.received).toHaveLength(9);
    await own.close();
  }, 90_000);

  it('accepts any 2xx as success only if the endpoint allows it', async () => {
    const accountId = newId('acc');
    const own = await startReceiver();
    const { id: endpointId } = await harness.endpoint(accountId, own, { acceptStatuses: '2xx' });
    for (const [index, status] of [200, 201, 204, 299].entries()) {
      own.respondWith(answering(status));
      await harness.report(accountId);
      const delivered = Array.from({ length: index + 1 }, () => ({ state: 'delivered', attempts_made: 1 }));
      await eventually(async () => expect(await harness.deliveries(accountId)).toMatchObject(delivered));
    }
    for (const [status, acceptStatuses] of [
      [300, '2xx'],
      [201, '200'],
    ] as const) {
      await harness.others.request(updateEndpointV1, { accountId, endpointId, acceptStatuses });
      own.respondWith(answering(status));
      await harness.report(accountId);
      await eventually(async () =>
        expect((await harness.attempts(accountId)).at(-1)).toMatchObject({
          status_code: status,
          error_class: 'status',
        }),
      );
    }
    await own.close();
  }, 60_000);

  it('records attempt times with microsecond precision', async () => {
    const { accountId } = await harness.account(receiver);
    const count = 50;
    for (let number = 0; number < count; number += 1) await harness.report(accountId);
    await eventually(async () =>
      expect((await harness.deliveries(accountId)).filter(({ state }) => state === 'delivered').length).toBe(count),
    );
    const sql =
      'SELECT attempt FROM attempts WHERE account_id = $1 AND extract(microseconds FROM started_at)::int % 1000 <> 0';
    // One time in a thousand is a whole millisecond by chance.
    expect((await query(harness.database.dataSource, sql, [accountId])).length).toBeGreaterThan(count / 2);
  });

  it('meets its first two delays in real time', async () => {
    let answers = 0;
    const { accountId } = await harness.account(receiver, (_request, response) =>
      response.writeHead((answers += 1) < 3 ? 500 : 200).end(),
    );
    await harness.report(accountId);
    await eventually(() => expect(receiver.received.length).toBe(3), { timeoutMs: 45_000 });
    const [first = 0, second = 0, third = 0] = receiver.received.map(({ receivedAt }) => receivedAt);
    expect(second - first).toBeGreaterThanOrEqual(5_000);
    expect(second - first).toBeLessThanOrEqual(6_500);
    expect(third - second).toBeGreaterThanOrEqual(30_000);
    expect(third - second).toBeLessThanOrEqual(34_000);
  }, 60_000);

  it('ignores 410 and Retry-After', async () => {
    const answers = [
      answering(410),
      answering(503, { headers: { 'retry-after': '3600' } }),
      answering(429, { headers: { 'retry-after': '1' } }),
    ];
    const { accountId } = await harness.account(receiver);
    const waits: number[] = [];
    for (const [index, answer] of answers.entries()) {
      receiver.respondWith(answer);
      if (index === 0) await harness.report(accountId);
      else await harness.makeDue(accountId);
      await eventually(async () =>
        expect(await harness.deliveries(accountId)).toMatchObject([
          { state: 'pending', attempts_made: index + 1, claimed_until: null },
        ]),
      );
      const [delivery] = await harness.deliveries(accountId);
      const attempt = (await harness.attempts(accountId))[index];
      waits.push(((delivery?.next_attempt_at?.getTime() ?? NaN) - (attempt?.finished_at?.getTime() ?? NaN)) / 1000);
    }
    expect(waits.map(Math.round)).toEqual(DELAYS.slice(0, answers.length));
    receiver.respondWith(answering(200));
    await harness.makeDue(accountId);
    await eventually(async () =>
      expect(await harness.deliveries(accountId)).toMatchObject([{ state: 'delivered', attempts_made: 4 }]),
    );
  }, 30_000);
});
