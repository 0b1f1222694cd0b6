import {
  AppError,
  type CountAudienceCommand,
  countAudienceV1,
  type CreateAudienceJobCommand,
  createAudienceJobV1,
  estimateAudienceJobV1,
  newId,
} from '@switchboard/contracts';
import { signedIn } from './support/console';
import { type Customer, type GatewayUnderTest, startGateway } from './support/gateway';

const MESSAGE = { type: 'template', template: { name: 'order_update', language: { code: 'en_US' } } };
const ROUTE = '/console/v1/jobs/contacts';
const DAY_MS = 86_400_000;

describe('console jobs from contacts', () => {
  let gateway: GatewayUnderTest;
  let customer: Customer;
  let admin: Awaited<ReturnType<typeof signedIn>>;

  beforeAll(async () => {
    gateway = await startGateway({
      standing: ['jobs', 'messaging'],
      settings: { CONSOLE_REQUESTS_PER_MINUTE: 10_000 },
    });
  });
  beforeEach(async () => {
    gateway.fakes.reset();
    await gateway.database.dataSource.query('DELETE FROM sign_in_attempts');
    customer = await gateway.customer({ plan: 'scale' });
    admin = await signedIn(gateway, customer.accountId, 'admin');
  });
  afterAll(() => gateway.close());

  const create = (body: object, headers: Record<string, string> = {}) => admin.call('POST', ROUTE, { body, headers });
  const daysSince = (time: string | undefined): number => Math.round((Date.now() - Date.parse(time ?? '')) / DAY_MS);

  it('count the contacts that match all filters', async () => {
    const labelId = newId('lbl');
    const query = new URLSearchParams({
      labelId,
      wroteWithinDays: '90',
      silentForDays: '30',
      optedIn: 'true',
      windowOpen: 'false',
    });
    const { status, body } = await admin.call('GET', `/console/v1/audience?${query.toString()}`);
    expect({ status, body }).toEqual({ status: 200, body: { success: true, count: 1_204, isExact: true } });
    const [counted] = gateway.fakes.of(countAudienceV1);
    const { audience } = counted as unknown as CountAudienceCommand;
    expect(counted).toEqual({
      accountId: customer.accountId,
      audience: { labelId, wroteSince: expect.any(String), silentSince: expect.any(String), optedIn: true },
    });
    expect([daysSince(audience.wroteSince), daysSince(audience.silentSince)]).toEqual([90, 30]);
  });

  it.each(['wroteWithinDays=0', 'silentForDays=x', 'optedIn=maybe', 'optedIn=true&optedIn=true'])(
    'reject the filter %s',
    async (query) => {
      const { status, body } = await admin.call('GET', `/console/v1/audience?${query}`);
      expect([status, body['code']]).toEqual([400, 'INVALID_PARAMETER']);
      expect(gateway.fakes.of(countAudienceV1)).toEqual([]);
    },
  );

  it('are created on hold with an audit log entry', async () => {
    const labelId = newId('lbl');
    const audience = { labelId, wroteWithinDays: 7, optedIn: true, nameVariables: ['1'] };
    const { status, body } = await create({ ...MESSAGE, audience, hold: true });
    expect({ status, body }).toMatchObject({ status: 201, body: createAudienceJobV1.sample.response });
    const [command] = gateway.fakes.of(createAudienceJobV1) as unknown as CreateAudienceJobCommand[];
    expect(command).toEqual({
      accountId: customer.accountId,
      jobId: expect.stringMatching(/^job_/),
      message: MESSAGE,
      hold: true,
      audience: {
        labelId,
        wroteSince: expect.any(String),
        optedIn: true,
        nameVariables: ['1'],
        maxRecipients: expect.any(Number),
      },
    });
    expect(daysSince(command?.audience.wroteSince)).toBe(7);
    expect(
      await gateway.database.dataSource.query(
        "SELECT actor, action, target, details FROM audit_log WHERE account_id = $1 AND action LIKE 'job.%'",
        [customer.accountId],
      ),
    ).toEqual([
      {
        actor: `user:${admin.user.userId}`,
        action: 'job.create',
        target: command?.jobId,
        details: { type: 'template', template: 'order_update', hold: true, audience: command?.audience },
      },
    ]);
  });

  it('pass the limit of the plan, and all other fields of a job', async () => {
    await gateway.services.overrides.setOverrides(customer.accountId, { bulkRecipients: 123 }, 'test');
    const scheduledAt = new Date(Date.now() + DAY_MS).toISOString();
    const maxSpend = { amount: '5.00', currency: 'USD' };
    const from = ['15550783881', '15550783882'];
    expect((await create({ ...MESSAGE, audience: {}, scheduledAt, maxSpend, from })).status).toBe(201);
    expect(gateway.fakes.of(createAudienceJobV1)).toEqual([
      {
        accountId: customer.accountId,
        jobId: expect.any(String),
        message: { ...MESSAGE, from: from[0] },
        numbers: from,
        scheduledAt,
        maxSpend,
        audience: { maxRecipients: 123 },
      },
    ]);
  });

  it('use the same job id for a repeated Idempotency-Key', async () => {
    gateway.fakes.answer(createAudienceJobV1, () => {
      throw new AppError('UNAVAILABLE');
    });
    const headers = { 'Idempotency-Key': 'campaign-1' };
    expect((await create({ ...MESSAGE, audience: {} }, headers)).status).toBe(503);
    const [first] = gateway.fakes.of(createAudienceJobV1);
    gateway.fakes.reset();
    const second = await create({ ...MESSAGE, audience: {} }, headers);
    const third = await create({ ...MESSAGE, audience: {} }, headers);
    expect([second.status, third.body]).toEqual([201, second.body]);
    expect(gateway.fakes.of(createAudienceJobV1)).toEqual([first]);
    expect((await create({ ...MESSAGE, audience: { optedIn: true } }, headers)).body).toMatchObject({
      code: 'IDEMPOTENCY_MISMATCH',
    });
  });

  it('are estimated by a dry run, which creates nothing', async () => {
    const { status, body } = await create({ ...MESSAGE, audience: { optedIn: true }, hold: true, dryRun: true });
    expect({ status, body }).toMatchObject({ status: 200, body: { dryRun: true, sampleRows: expect.any(Array) } });
    expect(gateway.fakes.of(createAudienceJobV1)).toEqual([]);
    expect(gateway.fakes.of(estimateAudienceJobV1)).toEqual([
      {
        accountId: customer.accountId,
        message: MESSAGE,
        audience: { optedIn: true, maxRecipients: expect.any(Number) },
      },
    ]);
  });

  it.each([
    [{}, 'MISSING_FIELD', 'audience'],
    [{ audience: 'all' }, 'INVALID_PARAMETER', 'audience'],
    [{ audience: { wroteWithinDays: '7' } }, 'INVALID_PARAMETER', 'audience.wroteWithinDays'],
    [{ audience: { nameVariables: [1] } }, 'INVALID_PARAMETER', 'audience.nameVariables'],
    [{ audience: {}, type: 'text', text: { body: 'Hi' } }, 'INVALID_VALUE', 'type'],
  ])('reject %j with %s of %s', async (more, code, field) => {
    const { body } = await create({ ...MESSAGE, ...more });
    expect(body).toMatchObject({ code, details: [{ field: expect.stringContaining(field) }] });
    expect(gateway.fakes.of(createAudienceJobV1)).toEqual([]);
  });

  it('return the errors of the jobs service', async () => {
    gateway.fakes.answer(createAudienceJobV1, () => {
      throw new AppError('BULK_LIMIT_EXCEEDED');
    });
    expect(await create({ ...MESSAGE, audience: {} })).toMatchObject({
      status: 400,
      body: { code: 'BULK_LIMIT_EXCEEDED' },
    });
  });

  it('need the role admin and the feature of the plan', async () => {
    const agent = await signedIn(gateway, customer.accountId, 'agent');
    expect((await agent.call('POST', ROUTE, { body: { ...MESSAGE, audience: {} } })).status).toBe(403);
    expect((await agent.call('GET', '/console/v1/audience')).status).toBe(200);
    await gateway.services.overrides.setOverrides(customer.accountId, { removedFeatures: ['BULK_MSG_LIMIT'] }, 'test');
    expect(await create({ ...MESSAGE, audience: {} })).toMatchObject({
      status: 403,
      body: { code: 'FEATURE_NOT_IN_PLAN' },
    });
  });
});
