import {
  AppError,
  controlJobV1,
  newId,
  rotateSecretV1,
  runEventRetentionV1,
  runRetentionV1,
  setEventRetentionV1,
  switchEndpointV1,
} from '@switchboard/contracts';
import { inTransit } from '@switchboard/platform';
import { eventually, startTcpProxy, type TcpProxy } from '@switchboard/testing';
import { pino } from 'pino';
import { type Browser, signedIn } from './support/console';
import { type Customer, type GatewayUnderTest, startGateway } from './support/gateway';
import { type OperatorUnderTest, operatorOn, testBox } from './support/operator';

const ENDPOINTS = '/console/v1/webhook-endpoints';

interface Entry {
  action: string;
  target: string;
  outcome: string | null;
  errorCode: string | null;
}

describe('audit log', () => {
  const lines: string[] = [];
  let gateway: GatewayUnderTest;
  let broker: TcpProxy;
  let customer: Customer;
  let owner: Browser;
  let operator: OperatorUnderTest;
  const own = newId('ep');

  beforeAll(async () => {
    gateway = await startGateway({
      standing: ['messaging', 'webhooks'],
      logger: pino({ level: 'warn', base: {} }, { write: (line: string) => void lines.push(line) }),
      brokerUrl: async (url) => {
        const { hostname, port } = new URL(url);
        broker = await startTcpProxy({ host: hostname, port: Number(port) });
        return broker.through(url);
      },
    });
    customer = await gateway.customer();
    owner = await signedIn(gateway, customer.accountId);
    operator = operatorOn(gateway);
  });
  beforeEach(() => {
    gateway.fakes.reset();
    gateway.fakes.answer(rotateSecretV1, ({ accountId, endpointId }) => {
      if (endpointId !== own) throw new AppError('NOT_FOUND');
      const sealedSecret = testBox.seal('whsec', inTransit(rotateSecretV1, 'sealedSecret', String(accountId)));
      return { ...rotateSecretV1.sample.response, sealedSecret };
    });
  });
  afterAll(async () => {
    await gateway.close();
    await broker.close();
  });

  /** Returns the newest entry as the owner and the operator see it. */
  const lastEntry = async (): Promise<Entry> => {
    const { body } = await owner.call('GET', '/console/v1/audit-log?limit=1');
    const [{ action, target, outcome, errorCode } = {}] = body.entries as Partial<Entry>[];
    const listed = await operator.json<{ entries: Entry[] }>(
      'audit',
      'list',
      '--account',
      customer.accountId,
      '--limit',
      '1',
    );
    expect(listed.entries).toMatchObject([{ action, target, outcome, errorCode }]);
    return listed.entries[0] as Entry;
  };
  const rotate = (endpointId: string) => owner.call('POST', `${ENDPOINTS}/${endpointId}/rotate-secret`);
  const pause = () => owner.call('POST', `${ENDPOINTS}/${own}/pause`);
  const onAccount = (...args: string[]) => operator.run([...args, '--account', customer.accountId, '--json']);

  it("records a rejected rotation of another account's secret", async () => {
    const theirs = newId('ep');
    expect(await rotate(theirs)).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } });
    expect(await lastEntry()).toMatchObject({
      action: 'webhook.rotate-secret',
      target: theirs,
      outcome: 'refused',
      errorCode: 'NOT_FOUND',
    });
  });

  it('records a completed change as done', async () => {
    expect((await rotate(own)).status).toBe(200);
    expect(await lastEntry()).toMatchObject({
      action: 'webhook.rotate-secret',
      target: own,
      outcome: 'done',
      errorCode: null,
    });
    await gateway.services.credits.topUp(
      { accountId: customer.accountId, category: 'utility', amount: 1, reason: 'x' },
      'cli:somebody',
    );
    expect(await lastEntry()).toMatchObject({ action: 'credits.top-up', outcome: 'done', errorCode: null });
  });

  it('records a change as rejected if no service received it', async () => {
    const jobId = newId('job');
    expect(await owner.call('POST', `/console/v1/jobs/${jobId}/pause`)).toMatchObject({
      status: 503,
      body: { code: 'UNAVAILABLE' },
    });
    const refused = { action: 'job.pause', target: jobId, outcome: 'refused', errorCode: 'UNAVAILABLE' };
    expect(await lastEntry()).toMatchObject(refused);
    expect((await onAccount('jobs', 'pause', '--job', jobId)).code).toBe(1);
    expect(await lastEntry()).toMatchObject(refused);
    expect(gateway.fakes.of(controlJobV1)).toEqual([]);
  });

  it('shows the outcome as unknown until the change completes', async () => {
    const seen: Entry[] = [];
    // Leaves the state of a process that is killed during the change.
    gateway.fakes.answer(switchEndpointV1, async () => {
      seen.push(await lastEntry());
      return switchEndpointV1.sample.response;
    });
    expect((await pause()).status).toBe(200);
    expect(seen).toMatchObject([{ action: 'webhook.pause', outcome: 'unknown', errorCode: null }]);
    expect(await lastEntry()).toMatchObject({ action: 'webhook.pause', outcome: 'done' });
  });

  it.each(['OUTCOME_UNKNOWN', 'UPSTREAM_TIMEOUT', 'INTERNAL'] as const)(
    'records the outcome unknown after %s',
    async (code) => {
      gateway.fakes.answer(switchEndpointV1, () => {
        throw new AppError(code);
      });
      const { err } = await onAccount('webhooks', 'pause', '--endpoint', own);
      expect(JSON.parse(err)).toMatchObject({ code });
      expect(await lastEntry()).toMatchObject({ action: 'webhook.pause', outcome: 'unknown', errorCode: null });
    },
  );

  it('logs an outcome that could not be recorded', async () => {
    const rename = (from: string, to: string) =>
      gateway.database.dataSource.query(`ALTER TABLE audit_log RENAME COLUMN ${from} TO ${to}`);
    gateway.fakes.answer(switchEndpointV1, async () => {
      await rename('error_code', 'gone');
      return switchEndpointV1.sample.response;
    });
    try {
      expect((await pause()).status).toBe(200);
    } finally {
      await rename('gone', 'error_code');
    }
    expect(await lastEntry()).toMatchObject({ action: 'webhook.pause', outcome: 'unknown' });
    expect(lines.filter((line) => line.includes('audit.outcome-write-failed'))).toHaveLength(1);
  });

  it('returns null for entries written without an outcome', async () => {
    const entry = [newId('aud'), 'cli:old', 'webhook.pause', customer.accountId, own];
    await gateway.database.dataSource.query(
      'INSERT INTO audit_log (id, actor, action, account_id, target) VALUES ($1, $2, $3, $4, $5)',
      entry,
    );
    expect(await lastEntry()).toMatchObject({ action: 'webhook.pause', outcome: null, errorCode: null });
  });

  it('records several steps as rejected only if none was completed', async () => {
    const refuse = () => {
      throw new AppError('INVALID_VALUE');
    };
    gateway.fakes.answer(setEventRetentionV1, refuse);
    expect((await onAccount('retention', 'set', '--message-days', '9', '--event-days', '9')).code).toBe(1);
    expect(await lastEntry()).toMatchObject({ action: 'retention.set', outcome: 'unknown', errorCode: null });
    gateway.fakes.answer(runEventRetentionV1, refuse);
    gateway.fakes.answer(runRetentionV1, refuse);
    expect((await onAccount('retention', 'run')).code).toBe(1);
    expect(await lastEntry()).toMatchObject({
      action: 'retention.run',
      outcome: 'refused',
      errorCode: 'INVALID_VALUE',
    });
  });

  it('records the outcome unknown if the broker fails', async () => {
    gateway.fakes.answer(switchEndpointV1, () => {
      broker.drop();
      return switchEndpointV1.sample.response;
    });
    expect(await pause()).toMatchObject({ status: 504, body: { code: 'OUTCOME_UNKNOWN' } });
    await eventually(async () =>
      expect(await lastEntry()).toMatchObject({ action: 'webhook.pause', outcome: 'unknown', errorCode: null }),
    );
  });
});
