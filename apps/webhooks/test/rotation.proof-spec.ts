import { setTimeout as delay } from 'node:timers/promises';
import { confirmRotationV1, rotateSecretV1, type RotateSecretReply } from '@switchboard/contracts';
import { query } from '@switchboard/database';
import { inTransit, serviceSignature } from '@switchboard/platform';
import { answering, checkingSignatures, eventually, type Receiver, startReceiver } from '@switchboard/testing';
import { Harness, testBox } from './harness';

const PER_SECOND = 200;
const SECONDS = 6;

describe('secret rotation', () => {
  let harness: Harness;
  let receiver: Receiver;

  beforeAll(async () => {
    harness = await Harness.start();
  }, 60_000);
  // Use one receiver per test, so that late requests of another test are not counted.
  beforeEach(async () => {
    receiver = await startReceiver();
  });
  afterEach(() => receiver.close());
  afterAll(() => harness.stop(), 60_000);

  const rotate = async (accountId: string, endpointId: string): Promise<RotateSecretReply & { secret: string }> => {
    const reply = await harness.others.request(rotateSecretV1, { accountId, endpointId });
    return { ...reply, secret: testBox.open(reply.sealedSecret, inTransit(rotateSecretV1, 'sealedSecret', accountId)) };
  };

  /** Sends events at a steady rate. Rotates the secret after a third of them and runs `afterwards` after two thirds. */
  async function underLoad(
    accountId: string,
    steps: { rotate(): Promise<void>; afterwards(): Promise<void> },
  ): Promise<number> {
    const total = PER_SECOND * SECONDS;
    const startedAt = performance.now();
    for (let sent = 0; sent < total; sent += 10) {
      await Promise.all(Array.from({ length: 10 }, () => harness.report(accountId)));
      if (sent === total / 3 - 10) await steps.rotate();
      if (sent === (total * 2) / 3 - 10) await steps.afterwards();
      await delay(Math.max(0, startedAt + ((sent + 10) / PER_SECOND) * 1000 - performance.now()));
    }
    await eventually(
      async () => {
        const deliveries = await harness.deliveries(accountId);
        // The last events may not have been stored yet.
        expect(deliveries.length).toBeGreaterThanOrEqual(total);
        expect(deliveries.filter(({ state }) => state !== 'delivered').length).toBe(0);
      },
      { timeoutMs: 180_000 },
    );
    return total;
  }

  it('loses no event for a Standard Webhooks receiver (guarantee 11 of ADR 41)', async () => {
    const { accountId } = await harness.account(receiver);
    const { id, secret: old } = await harness.endpoint(accountId, receiver, {
      kinds: ['message_status'],
      maxInFlight: 10,
    });
    await removeFirst(accountId, id);
    let secrets = [old];
    const check = checkingSignatures('standard', () => secrets);
    receiver.respondWith(check.respond);
    let fresh = '';
    const total = await underLoad(accountId, {
      rotate: async () => void ({ secret: fresh } = await rotate(accountId, id)),
      // The receiver switches to the new secret two seconds later.
      afterwards: () => Promise.resolve(void (secrets = [fresh])),
    });
    expect([check.accepted, check.rejected]).toEqual([total, 0]);
    expect(fresh).not.toBe(old);
    await harness.others.request(confirmRotationV1, { accountId, endpointId: id });
    await harness.report(accountId);
    await eventually(() => expect([check.accepted, check.rejected]).toEqual([total + 1, 0]));
  }, 300_000);

  it('loses no event for a receiver that accepts both secrets (guarantee 11 of ADR 41)', async () => {
    const { accountId } = await harness.account(receiver);
    const { id, secret: old } = await harness.endpoint(accountId, receiver, { maxInFlight: 10 });
    await removeFirst(accountId, id);
    let secrets = [old];
    let fresh = '';
    const check = checkingSignatures('service', () => secrets);
    receiver.respondWith(check.respond);
    const total = await underLoad(accountId, {
      // The old secret still signs, so the receiver need not know the new one yet.
      rotate: async () => void ({ secret: fresh } = await rotate(accountId, id)),
      afterwards: async () => {
        secrets = [old, fresh];
        await harness.others.request(confirmRotationV1, { accountId, endpointId: id });
      },
    });
    expect([check.accepted, check.rejected]).toEqual([total, 0]);
    secrets = [fresh];
    await harness.report(accountId);
    await eventually(() => expect([check.accepted, check.rejected]).toEqual([total + 1, 0]));
  }, 300_000);

  it('ends automatically after 24 hours', async () => {
    const { accountId } = await harness.account(receiver);
    const { id } = await harness.endpoint(accountId, receiver);
    await removeFirst(accountId, id);
    const { secret, rotationEndsAt } = await rotate(accountId, id);
    expect((Date.parse(rotationEndsAt) - Date.now()) / 3_600_000).toBeCloseTo(24, 1);
    receiver.respondWith(answering(200));
    await harness.report(accountId);
    const next = 'x-service-signature-next';
    const [during] = await eventually(() => {
      expect(receiver.received.length).toBe(1);
      return receiver.received;
    });
    expect(during?.headers[next]).toBe(serviceSignature(during?.body ?? Buffer.alloc(0), secret));
    expect(during?.headers['x-service-signature']).not.toBe(during?.headers[next]);
    await query(harness.database.dataSource, `UPDATE endpoints SET rotation_ends_at = now() WHERE id = $1`, [id]);
    const checks = [checkingSignatures('service', () => [secret]), checkingSignatures('standard', () => [secret])];
    for (const check of checks) {
      receiver.respondWith(check.respond);
      await harness.report(accountId);
      await eventually(() => expect([check.accepted, check.rejected]).toEqual([1, 0]));
    }
    expect(String(receiver.received.at(-1)?.headers['webhook-signature'])).not.toContain(' ');
    expect(receiver.received.at(-1)?.headers).not.toHaveProperty(next);
    const again = await rotate(accountId, id);
    expect(again.secret).not.toBe(secret);
    receiver.respondWith(checks[0]?.respond ?? (() => undefined));
    await harness.report(accountId);
    await eventually(() => expect(checks[0]).toMatchObject({ accepted: 2, rejected: 0 }));
  });

  it('rejects a confirmation without a rotation or by another account', async () => {
    const { accountId } = await harness.account(receiver);
    const { id } = await harness.endpoint(accountId, receiver);
    await expect(harness.others.request(confirmRotationV1, { accountId, endpointId: id })).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
    await rotate(accountId, id);
    await expect(
      harness.others.request(confirmRotationV1, { accountId: 'acc_other', endpointId: id }),
    ).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(
      harness.others.request(rotateSecretV1, { accountId: 'acc_other', endpointId: id }),
    ).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
  });

  /** Removes the endpoint that the harness created, because these tests check a single one. */
  async function removeFirst(accountId: string, keep: string): Promise<void> {
    await query(
      harness.database.dataSource,
      'UPDATE endpoints SET deleted_at = now() WHERE account_id = $1 AND id <> $2',
      [accountId, keep],
    );
  }
});
