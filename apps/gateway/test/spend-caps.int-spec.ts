import {
  AppError,
  controlJobV1,
  createCappedExcelJobV1,
  createCappedJobV1,
  estimateJobV1,
  getSpendCapV1,
  getUsageV1,
  newId,
  setSpendCapV1,
} from '@switchboard/contracts';
import { eventually } from '@switchboard/testing';
import { signedIn } from './support/console';
import { type Customer, type GatewayUnderTest, startGateway } from './support/gateway';
import { call } from './support/http';
import { type OperatorUnderTest, operatorOn } from './support/operator';

const CAP = { amount: '500.00', currency: 'USD' };
const MESSAGE = { type: 'template', template: { name: 'order_update', language: { code: 'en_US' } } };

describe('spend caps', () => {
  let gateway: GatewayUnderTest;
  let customer: Customer;
  let operator: OperatorUnderTest;

  beforeAll(async () => {
    gateway = await startGateway({
      standing: ['messaging', 'jobs'],
      settings: { CONSOLE_REQUESTS_PER_MINUTE: 10_000 },
    });
    operator = operatorOn(gateway);
  });
  beforeEach(async () => {
    gateway.fakes.reset();
    await gateway.database.dataSource.query('DELETE FROM sign_in_attempts');
    customer = await gateway.customer();
  });
  afterAll(() => gateway.close());

  const audited = (target = customer.accountId): Promise<object[]> =>
    gateway.database.dataSource.query(
      "SELECT actor, action, target, details, outcome FROM audit_log WHERE action IN ('spend-cap.set', 'spend-cap.clear', 'job.resume') AND target = $1 ORDER BY id",
      [target],
    );
  const bulk = (maxSpend: unknown, more: object = {}) =>
    call(`${gateway.url}/v1/messages/send/bulk`, {
      key: customer.apiKey,
      body: { ...MESSAGE, recipients: ['919812345678'], maxSpend, ...more },
    });

  it('are set and removed by owners only, with audit entries', async () => {
    const { accountId } = customer;
    const owner = await signedIn(gateway, accountId);
    const set = await owner.call('PUT', '/console/v1/spend-cap', { body: CAP });
    expect(set).toMatchObject({ status: 200, body: { success: true, ...setSpendCapV1.sample.response } });
    expect((await owner.call('DELETE', '/console/v1/spend-cap')).status).toBe(200);
    expect(gateway.fakes.of(setSpendCapV1)).toEqual([
      { accountId, cap: CAP },
      { accountId, cap: null },
    ]);
    const entry = { actor: `user:${owner.user.userId}`, target: accountId, outcome: 'done' };
    await eventually(async () =>
      expect(await audited()).toMatchObject([
        { ...entry, action: 'spend-cap.set', details: CAP },
        { ...entry, action: 'spend-cap.clear' },
      ]),
    );
    const admin = await signedIn(gateway, accountId, 'admin');
    expect((await admin.call('PUT', '/console/v1/spend-cap', { body: CAP })).body.code).toBe('ROLE_NOT_ALLOWED');
    expect((await admin.call('DELETE', '/console/v1/spend-cap')).body.code).toBe('ROLE_NOT_ALLOWED');
    expect(gateway.fakes.of(setSpendCapV1)).toHaveLength(2);
  });

  it.each([
    [{ currency: 'USD' }, 400],
    [{ amount: '-1', currency: 'USD' }, 422],
    [{ amount: 5, currency: 'USD' }, 400],
    [{ amount: '5', currency: 'usd' }, 422],
  ])('reject the body %j with %i', async (body, status) => {
    const owner = await signedIn(gateway, customer.accountId);
    expect((await owner.call('PUT', '/console/v1/spend-cap', { body })).status).toBe(status);
    expect(gateway.fakes.of(setSpendCapV1)).toEqual([]);
  });

  it('return 422 for a currency without rates', async () => {
    gateway.fakes.answer(setSpendCapV1, () => {
      throw new AppError('INVALID_VALUE', { message: 'the rate card is in USD, not in EUR' });
    });
    const owner = await signedIn(gateway, customer.accountId);
    expect(await owner.call('PUT', '/console/v1/spend-cap', { body: { ...CAP, currency: 'EUR' } })).toMatchObject({
      status: 422,
      body: { code: 'INVALID_VALUE' },
    });
  });

  it('are set, shown and cleared by the operator', async () => {
    const account = ['--account', customer.accountId];
    await operator.json('caps', 'set', ...account, '--amount', '500.00', '--currency', 'USD');
    expect(await operator.json('caps', 'show', ...account)).toMatchObject(getSpendCapV1.sample.response);
    await operator.json('caps', 'clear', ...account);
    expect(gateway.fakes.of(setSpendCapV1).map(({ cap }) => cap)).toEqual([CAP, null]);
    expect(await audited()).toMatchObject([{ action: 'spend-cap.set' }, { action: 'spend-cap.clear' }]);
    expect((await operator.run(['caps', 'set', ...account, '--amount', '1,5', '--currency', 'USD'])).err).toContain(
      'must be an amount such as 500.00',
    );
  });

  it('appear in the usage of the account', async () => {
    const { spendCap } = getSpendCapV1.sample.response;
    gateway.fakes.answer(getUsageV1, () => ({ ...getUsageV1.sample.response, spendCap }));
    const { body } = await call(`${gateway.url}/v1/usage`, { key: customer.apiKey });
    expect(body.spendCap).toEqual(spendCap);
  });

  it('reach the jobs service from bulk calls and forms', async () => {
    expect((await bulk(CAP)).status).toBe(201);
    expect((await bulk(CAP, { hold: true })).status).toBe(201);
    expect(gateway.fakes.of(createCappedJobV1)).toMatchObject([{ maxSpend: CAP }, { maxSpend: CAP, hold: true }]);
    const form = new FormData();
    const fields = { templateName: 'order_update', language: 'en_US', maxSpend: JSON.stringify(CAP) };
    for (const [name, value] of Object.entries(fields)) form.set(name, value);
    form.set('customerExcel', new Blob(['phone\n919812345678\n']), 'customers.csv');
    const response = await fetch(`${gateway.url}/v1/messages/send/bulk/excel`, {
      method: 'POST',
      headers: { authorization: `Bearer ${customer.apiKey}` },
      body: form,
    });
    expect(response.status).toBe(201);
    expect(gateway.fakes.of(createCappedExcelJobV1)).toMatchObject([{ maxSpend: CAP }]);
  });

  it.each([
    ['500', 'INVALID_PARAMETER'],
    [[], 'INVALID_PARAMETER'],
    [{ amount: 500, currency: 'USD' }, 'INVALID_VALUE'],
    [{ amount: '1.123456789', currency: 'USD' }, 'INVALID_VALUE'],
    [{ amount: '500', currency: 'dollars' }, 'INVALID_VALUE'],
  ])('reject the job maxSpend %j with %s', async (maxSpend, code) => {
    expect((await bulk(maxSpend)).body.code).toBe(code);
    expect(gateway.fakes.of(createCappedJobV1)).toEqual([]);
  });

  it('can be raised by API clients and admins who resume a job', async () => {
    const jobId = newId('job');
    const path = `/jobs/${jobId}/resume`;
    const post = (body?: object) => call(`${gateway.url}/v1${path}`, { method: 'POST', key: customer.apiKey, body });
    expect((await post({ maxSpend: CAP })).status).toBe(200);
    expect((await post()).status).toBe(200);
    const admin = await signedIn(gateway, customer.accountId, 'admin');
    await admin.call('POST', `/console/v1${path}`, { body: { maxSpend: CAP } });
    const resumed = { accountId: customer.accountId, jobId, action: 'resume' };
    expect(gateway.fakes.of(controlJobV1)).toEqual([
      { ...resumed, maxSpend: CAP },
      resumed,
      { ...resumed, maxSpend: CAP },
    ]);
    await eventually(async () =>
      expect(await audited(jobId)).toMatchObject([
        { action: 'job.resume', details: { maxSpend: CAP }, outcome: 'done' },
      ]),
    );
    expect((await post({ maxSpend: '500' })).body.code).toBe('INVALID_PARAMETER');
    expect((await post({ maxSpend: { amount: '-5', currency: 'USD' } })).body.code).toBe('INVALID_VALUE');
    expect(gateway.fakes.of(controlJobV1)).toHaveLength(3);
  });

  it("are passed on to a job's dry runs", async () => {
    expect((await bulk(CAP, { dryRun: true })).status).toBe(200);
    expect(gateway.fakes.of(estimateJobV1)).toMatchObject([{ maxSpend: CAP }]);
  });
});
