import { createBroker, type Broker } from '@switchboard/broker';
import {
  type ReserveCreditCommand,
  refundCreditV1,
  reserveCreditV1,
  returnCreditV1,
  settleCreditV1,
} from '@switchboard/contracts';
import { eventually, silentLogger } from '@switchboard/testing';
import { CreditRounds } from '../src/accounts/credit-rounds';
import { type GatewayUnderTest, startThreeGateways } from './support/gateway';

let nextReservation = 1;
const HOLD_SECONDS = 60;

describe('credits', () => {
  let gateways: GatewayUnderTest[];
  let gateway: GatewayUnderTest;
  let otp: Broker;

  beforeAll(async () => {
    gateways = await startThreeGateways({ standing: [] });
    [gateway] = gateways as [GatewayUnderTest];
    otp = createBroker({
      service: 'otp',
      url: gateway.config.RABBITMQ_URL,
      namespace: gateway.config.BROKER_NAMESPACE,
      logger: silentLogger,
    });
    await otp.connect();
  });
  afterAll(async () => {
    await otp.close();
    for (const each of [...gateways].reverse()) await each.close();
  });

  const sql = <Row>(text: string, params: unknown[] = []) => gateway.database.dataSource.query<Row[]>(text, params);
  const accountWith = async (credits: number): Promise<string> => {
    const { accountId } = await gateway.services.accounts.createAccount({ name: 'Customer', plan: 'starter' }, 'test');
    if (credits > 0)
      await gateway.services.credits.topUp({ accountId, category: 'utility', amount: credits, reason: 'test' }, 'test');
    return accountId;
  };
  const wanted = (accountId: string, more: Partial<ReserveCreditCommand> = {}): ReserveCreditCommand => ({
    accountId,
    reservationId: `res_${nextReservation++}`,
    category: 'utility',
    amount: 1,
    holdSeconds: HOLD_SECONDS,
    ...more,
  });
  const balanceOf = async (accountId: string): Promise<number> =>
    (await gateway.services.credits.balancesOf(accountId)).utility;
  const expectTrueLedger = async (accountId: string): Promise<void> => {
    const [row] = await sql<{ sum: string }>(
      'SELECT coalesce(sum(amount), 0) AS sum FROM credit_ledger WHERE account_id = $1',
      [accountId],
    );
    expect(Number(row?.sum)).toBe(await balanceOf(accountId));
  };

  it('are reserved once per id across gateways', async () => {
    const accountId = await accountWith(5);
    const request = wanted(accountId, { amount: 2 });
    const replies = await Promise.all(Array.from({ length: 12 }, () => otp.request(reserveCreditV1, request)));
    expect(new Set(replies.map(({ balance }) => balance))).toEqual(new Set([3]));
    expect(await balanceOf(accountId)).toBe(3);
    await expect(otp.request(reserveCreditV1, { ...request, amount: 3 })).rejects.toMatchObject({
      code: 'INVALID_VALUE',
    });
    await expect(otp.request(reserveCreditV1, { ...request, accountId: await accountWith(9) })).rejects.toMatchObject({
      code: 'INVALID_VALUE',
    });
    await expectTrueLedger(accountId);
  });

  it('never become negative under parallel reservations', async () => {
    const accountId = await accountWith(50);
    const outcomes = await Promise.allSettled(
      Array.from({ length: 200 }, () => otp.request(reserveCreditV1, wanted(accountId), { timeoutMs: 20_000 })),
    );
    const refused = outcomes.filter((outcome) => outcome.status === 'rejected');
    expect(refused).toHaveLength(150);
    for (const { reason } of refused) expect(reason).toMatchObject({ code: 'INSUFFICIENT_CREDITS', status: 403 });
    expect(await balanceOf(accountId)).toBe(0);
    await expectTrueLedger(accountId);
  });

  it('are settled or refunded once under redelivery', async () => {
    const accountId = await accountWith(10);
    const [spent, unused] = [wanted(accountId, { amount: 3 }), wanted(accountId, { amount: 4 })];
    for (const request of [spent, unused]) await otp.request(reserveCreditV1, request);
    expect(await balanceOf(accountId)).toBe(3);
    for (let time = 0; time < 3; time += 1) {
      await otp.enqueue(settleCreditV1, { accountId, reservationId: spent.reservationId });
      await otp.enqueue(refundCreditV1, { accountId, reservationId: unused.reservationId });
    }
    await eventually(async () => expect(await balanceOf(accountId)).toBe(7));
    const kinds = async () =>
      (
        await sql<{ kind: string }>('SELECT kind FROM credit_ledger WHERE account_id = $1 ORDER BY kind', [accountId])
      ).map(({ kind }) => kind);
    await eventually(async () => expect(await kinds()).toEqual(['refund', 'reserve', 'reserve', 'settle', 'top_up']));
    await otp.enqueue(refundCreditV1, { accountId, reservationId: spent.reservationId });
    await expect(otp.request(reserveCreditV1, unused)).rejects.toMatchObject({ code: 'INVALID_VALUE' });
    expect(await balanceOf(accountId)).toBe(7);
    await expectTrueLedger(accountId);
  });

  it('are returned once after a failed delivery', async () => {
    const accountId = await accountWith(10);
    const [first, last] = [wanted(accountId, { amount: 3 }), wanted(accountId, { amount: 4 })];
    for (const request of [first, last]) await otp.request(reserveCreditV1, request);
    for (let time = 0; time < 3; time += 1) {
      await otp.enqueue(settleCreditV1, { accountId, reservationId: first.reservationId });
      await otp.enqueue(returnCreditV1, { accountId, reservationId: first.reservationId });
      await otp.enqueue(returnCreditV1, { accountId, reservationId: last.reservationId });
    }
    await eventually(async () => expect(await balanceOf(accountId)).toBe(10));
    for (const { reservationId } of [first, last]) await otp.enqueue(settleCreditV1, { accountId, reservationId });
    const spent = wanted(accountId);
    expect(await otp.request(reserveCreditV1, spent)).toEqual({ balance: 9 });
    await otp.enqueue(settleCreditV1, { accountId, reservationId: spent.reservationId });
    // This message is queued behind the others.
    await eventually(async () =>
      expect(
        (await sql("SELECT FROM credit_ledger WHERE kind = 'settle' AND reservation_id = $1", [spent.reservationId]))
          .length,
      ).toBe(1),
    );
    expect(await otp.request(reserveCreditV1, last)).toEqual({ balance: 9 });
    await expectTrueLedger(accountId);
  });

  it('are released after a timeout, deducted if settled later', async () => {
    const accountId = await accountWith(5);
    const [dead, late, alive] = [wanted(accountId), wanted(accountId, { amount: 2 }), wanted(accountId)];
    for (const request of [dead, late, alive]) await otp.request(reserveCreditV1, request);
    await sql("UPDATE credit_reservations SET held_until = now() - interval '1 second' WHERE id = ANY($1)", [
      [dead.reservationId, late.reservationId],
    ]);
    await Promise.all(gateways.map(({ app }) => app.get(CreditRounds).releaseOverdue()));
    await eventually(async () => expect(await balanceOf(accountId)).toBe(4));
    await otp.enqueue(settleCreditV1, { accountId, reservationId: late.reservationId });
    await eventually(async () => expect(await balanceOf(accountId)).toBe(2));
    await otp.enqueue(settleCreditV1, { accountId, reservationId: late.reservationId });
    await otp.enqueue(refundCreditV1, { accountId, reservationId: dead.reservationId });
    await otp.request(reserveCreditV1, wanted(accountId));
    expect(await balanceOf(accountId)).toBe(1);
    await expectTrueLedger(accountId);
  });

  it("ignore commands with another account's reservation", async () => {
    const [mine, other] = [await accountWith(3), await accountWith(3)];
    const request = wanted(mine);
    await otp.request(reserveCreditV1, request);
    await otp.enqueue(refundCreditV1, { accountId: other, reservationId: request.reservationId });
    await otp.enqueue(refundCreditV1, { accountId: mine, reservationId: request.reservationId });
    await eventually(async () => expect(await balanceOf(mine)).toBe(3));
    expect(await balanceOf(other)).toBe(3);
  });
});

describe('monthly credits', () => {
  let gateways: GatewayUnderTest[];
  let gateway: GatewayUnderTest;

  beforeAll(async () => {
    gateways = await startThreeGateways({ standing: [] });
    [gateway] = gateways as [GatewayUnderTest];
  });
  afterAll(async () => {
    for (const each of [...gateways].reverse()) await each.close();
  });

  const balanceOf = async (accountId: string): Promise<number> =>
    (await gateway.services.credits.balancesOf(accountId)).utility;
  const round = () => Promise.all(gateways.flatMap(({ app }) => [1, 2].map(() => app.get(CreditRounds).grantMonth())));
  /**
   * Runs scheduled grants until the balance is reached. While a gateway's own run holds the lock, the others do
   * nothing.
   */
  const roundsUntil = (accountId: string, balance: number) =>
    eventually(async () => {
      await round();
      expect(await balanceOf(accountId)).toBe(balance);
    });
  const make = async (plan: string) =>
    (await gateway.services.accounts.createAccount({ name: 'Customer', plan }, 'test')).accountId;
  /** Moves the ledger back by a month, so that this month's grants become last month's. */
  const letAMonthPass = async () => {
    await gateway.database.dataSource.query('ALTER TABLE credit_ledger DISABLE TRIGGER credit_ledger_append_only');
    await gateway.database.dataSource.query(
      "UPDATE credit_ledger SET grant_month = (grant_month - interval '1 month')::date WHERE grant_month IS NOT NULL",
    );
    await gateway.database.dataSource.query('ALTER TABLE credit_ledger ENABLE TRIGGER credit_ledger_append_only');
  };

  it('are granted once per month under concurrency', async () => {
    const accountId = await make('growth');
    expect(await balanceOf(accountId)).toBe(1_000);
    await round();
    expect(await balanceOf(accountId)).toBe(1_000);
    await letAMonthPass();
    await roundsUntil(accountId, 2_000);
    await round();
    expect(await balanceOf(accountId)).toBe(2_000);
    const [entry] = await gateway.services.credits.ledgerOf(accountId, { limit: 1 });
    expect(entry).toMatchObject({
      kind: 'grant',
      amount: 1_000,
      reason: expect.stringMatching(/^plan growth, \d{4}-\d{2}$/) as string,
    });
  });

  it('are granted once per month despite plan changes', async () => {
    const accountId = await make('starter');
    const { overrides } = gateway.services;
    expect(await balanceOf(accountId)).toBe(0);
    await overrides.setPlan(accountId, 'growth', 'test');
    await overrides.setPlan(accountId, 'scale', 'test');
    expect(await balanceOf(accountId)).toBe(1_000);
    await overrides.setOverrides(accountId, { monthlyCredits: 77 }, 'test');
    await letAMonthPass();
    await roundsUntil(accountId, 1_077);
  });
});
