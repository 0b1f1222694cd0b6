import { createBroker } from '@switchboard/broker';
import { AppError, listJobsV1, removeNumberV1, resumeNumberV1, settleCreditV1 } from '@switchboard/contracts';
import { eventually, silentLogger } from '@switchboard/testing';
import { type GatewayUnderTest, startGateway } from './support/gateway';
import { call } from './support/http';
import { type OperatorUnderTest, operatorOn } from './support/operator';

const CHANGES = [
  'key.rotate',
  'key.set',
  'account.override',
  'account.set-plan',
  'account.reset-overrides',
  'credits.top-up',
  'account.suspend',
  'account.resume',
  'number.remove',
  'number.resume',
  'dead-letter.show',
  'dead-letters.sent-back',
];

describe('operator account commands', () => {
  let gateway: GatewayUnderTest;
  let operator: OperatorUnderTest;
  let accountId: string;

  beforeAll(async () => {
    gateway = await startGateway({ standing: ['messaging', 'jobs'] });
    operator = operatorOn(gateway);
    ({ accountId } = await json<{ accountId: string }>('accounts', 'create', '--name', 'Shop', '--plan', 'growth'));
  });
  afterAll(() => gateway.close());

  const json = <T = Record<string, string>>(...args: string[]): Promise<T> => operator.json<T>(...args);

  it('rotate a key and change its restrictions', async () => {
    const old = await json('keys', 'create', '--account', accountId, '--name', 'server', '--route', 'GET /v1/me');
    const next = await json<Record<string, unknown>>(
      'keys',
      'rotate',
      '--key',
      old.keyId ?? '',
      '--overlap-hours',
      '2',
    );
    expect(next).toMatchObject({
      name: 'server',
      allowedRoutes: ['GET /v1/me'],
      expiresAt: null,
      replacedKeyId: old.keyId,
    });
    const endsInMs = Date.parse(String(next.replacedEndsAt)) - Date.now();
    expect(Math.abs(endsInMs - 2 * 3_600_000)).toBeLessThan(60_000);
    for (const key of [old.apiKey, String(next.apiKey)]) {
      const { status, body } = await call(`${gateway.url}/v1/me`, { key });
      expect([status, body.apiClient]).toEqual([200, expect.objectContaining({ id: old.keyId, name: 'server' })]);
    }
    const changed = await json(
      'keys',
      'set',
      '--key',
      String(next.keyId),
      '--any-route',
      '--ip',
      '10.0.0.0/8',
      '--expires',
      '2099-01-01T00:00:00Z',
    );
    expect(changed).toMatchObject({
      allowedRoutes: [],
      allowedIps: ['10.0.0.0/8'],
      expiresAt: '2099-01-01T00:00:00.000Z',
    });
    expect(await json('keys', 'set', '--key', String(next.keyId), '--any-ip', '--never-expires')).toMatchObject({
      allowedIps: [],
      expiresAt: null,
    });
  });

  it('override a plan, change it, and reset it', async () => {
    const { accountId: id = '' } = await json('accounts', 'create', '--name', 'Special', '--plan', 'starter');
    const special = await json(
      'accounts',
      'override',
      '--account',
      id,
      '--rate-limit',
      '120',
      '--rate-burst',
      '10',
      '--excel-rows',
      '50',
      '--add-feature',
      'MEDIA',
    );
    expect(special).toMatchObject({
      name: 'starter',
      features: ['MEDIA'],
      rateLimit: 120,
      rateBurst: 10,
      excelRows: 50,
      bulkRecipients: 0,
    });
    await json('accounts', 'override', '--account', id, '--bulk-recipients', '5');
    expect(await json('accounts', 'show', '--account', id)).toMatchObject({
      limits: { rateLimit: 120, bulkRecipients: 5, features: ['MEDIA'] },
      credits: { utility: 0 },
    });
    expect(await json('accounts', 'set-plan', '--account', id, '--plan', 'growth')).toMatchObject({
      name: 'growth',
      rateLimit: 120,
    });
    expect(await json('accounts', 'reset-overrides', '--account', id)).toMatchObject({
      rateLimit: 600,
      rateBurst: 600,
      bulkRecipients: 1000,
    });
    expect(await json('credits', 'show', '--account', id)).toMatchObject({ credits: { utility: 1000 } });
  });

  it('paginate lists', async () => {
    const { accountId: id = '' } = await json('accounts', 'create', '--name', 'Pages', '--plan', 'starter');
    for (const amount of ['1', '2', '3', '4', '5'])
      await json('credits', 'top-up', '--account', id, '--amount', amount);
    const amounts: number[] = [];
    for (let cursor: string[] | null = []; cursor !== null; ) {
      const page: { entries: { amount: number }[]; nextCursor: string | null } = await json(
        'credits',
        'ledger',
        '--account',
        id,
        '--limit',
        '2',
        ...cursor,
      );
      amounts.push(...page.entries.map(({ amount }) => amount));
      cursor = page.nextCursor === null ? null : ['--cursor', page.nextCursor];
    }
    expect(amounts).toEqual([5, 4, 3, 2, 1]);
    const first = await json<{ entries: { action: string; target: string }[]; nextCursor: string }>(
      'audit',
      'list',
      '--account',
      id,
      '--limit',
      '4',
    );
    const rest = await json<{ entries: { action: string }[]; nextCursor: null }>(
      'audit',
      'list',
      '--account',
      id,
      '--limit',
      '4',
      '--cursor',
      first.nextCursor,
    );
    expect([...first.entries, ...rest.entries].map(({ action }) => action)).toEqual([
      ...Array.from({ length: 5 }, () => 'credits.top-up'),
      'account.create',
    ]);
    const seen = new Set<string>();
    for (let cursor: string | undefined; ; ) {
      const page: { accounts: { accountId: string }[]; nextCursor: string | null } = await json(
        'accounts',
        'list',
        '--limit',
        '2',
        ...(cursor ? ['--cursor', cursor] : []),
      );
      for (const found of page.accounts) seen.add(found.accountId);
      if (page.nextCursor === null) break;
      cursor = page.nextCursor;
    }
    expect([...seen]).toEqual(expect.arrayContaining([accountId, id]));
  });

  it('list numbers and resume one', async () => {
    const { numbers } = await json<{ numbers: { phoneNumber: string }[] }>('numbers', 'list', '--account', accountId);
    expect(numbers).toMatchObject([{ phoneNumber: '15550783881', status: 'CONNECTED' }]);
    expect(await json('numbers', 'resume', '--account', accountId, '--phone-number', '15550783881')).toMatchObject({
      status: 'CONNECTED',
    });
    expect(gateway.fakes.of(resumeNumberV1)).toEqual([{ accountId, phoneNumber: '15550783881' }]);
  });

  it('suspend an account with a reason and resume it', async () => {
    const { accountId: id = '' } = await json('accounts', 'create', '--name', 'Late payer', '--plan', 'starter');
    const { apiKey: key } = await json('keys', 'create', '--account', id, '--name', 'server');
    const me = async () => (await call(`${gateway.url}/v1/me`, { key })).status;
    expect(await me()).toBe(200);
    const suspended = await json('accounts', 'suspend', '--account', id, '--reason', 'unpaid');
    expect(suspended).toMatchObject({
      accountId: id,
      suspendedAt: expect.any(String) as string,
      suspendedReason: 'unpaid',
    });
    await eventually(async () => expect(await me()).toBe(403));
    const again = await json('accounts', 'suspend', '--account', id, '--reason', 'fraud');
    expect(again).toMatchObject({ suspendedAt: suspended.suspendedAt, suspendedReason: 'fraud' });
    expect(await json('accounts', 'show', '--account', id)).toMatchObject({ suspendedReason: 'fraud' });
    const { entries } = await json<{ entries: { action: string; details: object }[] }>(
      'audit',
      'list',
      '--account',
      id,
      '--limit',
      '2',
    );
    expect(entries.map(({ action, details }) => [action, details])).toEqual([
      ['account.suspend', { reason: 'fraud' }],
      ['account.suspend', { reason: 'unpaid' }],
    ]);
    expect(await json('accounts', 'resume', '--account', id)).toMatchObject({
      suspendedAt: null,
      suspendedReason: null,
    });
    await eventually(async () => expect(await me()).toBe(200));
  });

  describe('numbers remove', () => {
    const NUMBER = '15550783881';
    const standing = { id: 'num_1', phoneNumber: NUMBER, unsettled: 0, unfetchedMedia: 2, primary: '15550783882' };
    const openJob = (from: string) => ({
      jobs: [{ ...listJobsV1.sample.response.jobs[0], jobId: 'job_open', from }],
      total: 1,
      totalIsExact: true,
      hasNext: false,
      nextCursor: null,
    });
    const remove = (...more: string[]) =>
      operator.run(['numbers', 'remove', '--account', accountId, '--phone-number', NUMBER, '--json', ...more]);
    const refusalOf = ({ err }: { err: string }) => JSON.parse(err) as { code: string; message: string };

    beforeEach(() => {
      gateway.fakes.reset();
      gateway.fakes.answer(removeNumberV1, () => standing);
      gateway.fakes.answer(listJobsV1, () => openJob('15550000000'));
    });

    it('removes the number and reports the effects', async () => {
      const { numberId, ...removed } = JSON.parse((await remove()).out) as Record<string, unknown>;
      expect([numberId, removed]).toEqual([
        'num_1',
        {
          success: true,
          accountId,
          phoneNumber: NUMBER,
          unsettled: 0,
          unfetchedMedia: 2,
          primary: '15550783882',
          openJobs: [],
          removed: true,
        },
      ]);
      expect(gateway.fakes.of(removeNumberV1).map(({ dryRun }) => dryRun)).toEqual([true, false]);
      expect(gateway.fakes.of(listJobsV1).map(({ status }) => status)).toEqual(['queued', 'processing', 'paused']);
    });

    it('reports the effects only in a dry run', async () => {
      gateway.fakes.answer(listJobsV1, ({ status }) => openJob(status === 'paused' ? NUMBER : '15550000000'));
      expect(JSON.parse((await remove('--dry-run')).out)).toMatchObject({
        unfetchedMedia: 2,
        openJobs: ['job_open'],
        removed: false,
      });
      expect(gateway.fakes.of(removeNumberV1).map(({ dryRun }) => dryRun)).toEqual([true]);
    });

    it('fails while a bulk job sends from the number', async () => {
      gateway.fakes.answer(listJobsV1, ({ status }) => openJob(status === 'queued' ? NUMBER : '15550000000'));
      expect(refusalOf(await remove())).toMatchObject({
        code: 'INVALID_PARAMETER',
        message: 'bulk jobs send from this number: job_open; let them end or cancel them (jobs cancel)',
      });
      expect(gateway.fakes.of(removeNumberV1).map(({ dryRun }) => dryRun)).toEqual([true]);
    });

    it('fails with the reason if messaging rejects the removal', async () => {
      gateway.fakes.answer(removeNumberV1, ({ dryRun }) => {
        if (dryRun) return { ...standing, unsettled: 3 };
        throw new AppError('INVALID_PARAMETER', {
          message: 'the outcome of 3 messages of this number is not known yet',
        });
      });
      expect(refusalOf(await remove())).toMatchObject({
        code: 'INVALID_PARAMETER',
        message: 'the outcome of 3 messages of this number is not known yet',
      });
    });
  });

  it('list, show and requeue dead letters', async () => {
    const queue = settleCreditV1.name;
    const { RABBITMQ_URL: url, BROKER_NAMESPACE: namespace } = gateway.config;
    const otp = createBroker({ service: 'otp', url, namespace, logger: silentLogger });
    await otp.connect();
    await otp.enqueue(settleCreditV1, { accountId, reservationId: 'res_nobody' }, { messageId: 'dead-1' });
    await otp.close();
    await eventually(async () =>
      expect((await json<{ queues: object[] }>('dead-letters', 'list')).queues).toEqual([{ queue, count: 1 }]),
    );
    const { deadLetters } = await json<{ deadLetters: object[] }>('dead-letters', 'list', '--queue', queue);
    expect(deadLetters).toMatchObject([
      { messageId: 'dead-1', reason: 'there is no reservation res_nobody', failures: 1 },
    ]);
    expect(JSON.stringify(deadLetters)).not.toContain(accountId);
    const shown = await json('dead-letters', 'show', '--queue', queue, '--message', 'dead-1');
    expect(JSON.parse(shown.body ?? '')).toEqual({ accountId, reservationId: 'res_nobody' });
    expect((await operator.run(['dead-letters', 'send-back', '--queue', queue])).err).toContain(
      'give --message <id> or --all',
    );
    expect(await json('dead-letters', 'send-back', '--queue', queue, '--message', 'dead-1')).toMatchObject({
      sentBack: 1,
    });
    await eventually(async () =>
      expect((await json<{ queues: object[] }>('dead-letters', 'list')).queues).toEqual([{ queue, count: 1 }]),
    );
    expect(await json('dead-letters', 'send-back', '--queue', queue, '--all')).toMatchObject({ sentBack: 1 });
  });

  it('record every change with its actor', async () => {
    const { entries } = await json<{ entries: { action: string; actor: string }[] }>('audit', 'list', '--limit', '500');
    expect(entries.filter(({ actor }) => actor === 'cli:tester').map(({ action }) => action)).toEqual(
      expect.arrayContaining(CHANGES),
    );
  });

  it.each([
    [['keys', 'rotate', '--key', 'key_none'], 'NOT_FOUND', 'not found: there is no key key_none'],
    [['keys', 'set', '--key', 'key_none'], 'MISSING_FIELD', 'give at least one field to change'],
    [
      ['keys', 'set', '--key', 'key_none', '--ip', '::1', '--any-ip'],
      'INVALID_PARAMETER',
      '--ip and its opposite cannot both be given',
    ],
    [['accounts', 'show', '--account', 'acc_none'], 'NOT_FOUND', 'not found: there is no account acc_none'],
    [['accounts', 'suspend', '--account', 'acc_none'], 'NOT_FOUND', 'not found: there is no account acc_none'],
    [['accounts', 'resume', '--account', 'acc_none'], 'NOT_FOUND', 'not found: there is no account acc_none'],
    [
      ['numbers', 'remove', '--account', 'acc_none', '--phone-number', '15550783881'],
      'NOT_FOUND',
      'not found: there is no account acc_none',
    ],
    [['accounts', 'set-plan', '--account', 'acc_none', '--plan', 'none'], 'INVALID_PARAMETER', 'there is no plan none'],
    [
      ['credits', 'ledger', '--account', 'acc_none', '--limit', '501'],
      'INVALID_PARAMETER',
      expect.stringContaining('from 1 to 500') as string,
    ],
    [
      ['credits', 'ledger', '--account', 'acc_none', '--cursor', 'x y'],
      'INVALID_PARAMETER',
      expect.stringContaining('must be a nextCursor') as string,
    ],
    [
      ['dead-letters', 'list', '--queue', 'nowhere'],
      'NOT_FOUND',
      expect.stringContaining('no queue nowhere') as string,
    ],
    [
      ['credits', 'ledger', '--account', 'acc_none', '--cursor', 'abc'],
      'INVALID_PARAMETER',
      expect.stringContaining('must be a nextCursor') as string,
    ],
  ])('reject %j with an explanation', async (args, code, message) => {
    const { code: exitCode, out, err } = await operator.run([...args, '--json']);
    expect([exitCode, out, JSON.parse(err)]).toEqual([1, '', { success: false, message, code }]);
  });
});
