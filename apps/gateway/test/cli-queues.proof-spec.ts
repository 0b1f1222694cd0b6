import { prepareBroker } from '@switchboard/broker';
/* eslint-disable no-restricted-imports, @nx/enforce-module-boundaries --
   creates queues of removed contracts, which no service declares, on a separate broker */
import { connect } from 'amqplib';
import { startThrowAwayBroker } from '../../../libs/broker/test/support/private-broker';
/* eslint-enable no-restricted-imports, @nx/enforce-module-boundaries */
import { type GatewayUnderTest, startGateway } from './support/gateway';
import { type OperatorUnderTest, operatorOn, type Ran } from './support/operator';

const GONE = 'jobs.forget-letter.v1';

describe('operator queue pruning', () => {
  let gateway: GatewayUnderTest;
  let operator: OperatorUnderTest;
  let rabbit: Awaited<ReturnType<typeof startThrowAwayBroker>>;

  beforeAll(async () => {
    [gateway, rabbit] = await Promise.all([startGateway(), startThrowAwayBroker({ withManagement: true })]);
    operator = operatorOn(gateway);
    await prepareBroker({ adminUrl: rabbit.url, namespace: '', loginUrls: {} });
    const model = await connect(rabbit.url);
    const channel = await model.createConfirmChannel();
    for (const queue of [GONE, `${GONE}.dlq`]) await channel.assertQueue(queue, { durable: true });
    channel.sendToQueue(`${GONE}.dlq`, Buffer.from('{}'));
    await channel.waitForConfirms();
    await model.close();
  });
  afterAll(() => Promise.all([gateway.close(), rabbit.remove()]));

  const prune = (...options: string[]): Promise<Ran> =>
    operator.run(['queues', 'prune', ...options, '--json'], {
      RABBITMQ_ADMIN_URL: rabbit.url,
      RABBITMQ_MANAGEMENT_URL: rabbit.managementUrl,
      BROKER_NAMESPACE: '',
    });
  const queuesOf = ({ out }: Ran): unknown => (JSON.parse(out) as { queues: unknown }).queues;
  const audited = async (): Promise<unknown[]> => {
    const { entries } = await operator.json<{ entries: { action: string; target: string; details: object }[] }>(
      'audit',
      'list',
    );
    return entries.filter(({ action }) => action === 'queues.prune');
  };

  it('reports missing settings', async () => {
    const { code, err } = await operator.run(['queues', 'prune']);
    expect([code, err]).toEqual([1, expect.stringContaining('RABBITMQ_ADMIN_URL')]);
  });

  it('lists stale queues and deletes none without --yes', async () => {
    const listed = [{ queue: GONE, queues: 2, messages: 1, state: 'kept: it holds messages' }];
    expect(queuesOf(await prune())).toEqual(listed);
    expect(queuesOf(await prune('--with-messages'))).toEqual([{ ...listed[0], state: 'stale' }]);
    expect(queuesOf(await prune())).toEqual(listed);
  });

  it('keeps queues with messages by default and audits deletions', async () => {
    expect(queuesOf(await prune('--yes'))).toMatchObject([{ state: 'kept: it holds messages' }]);
    expect(await audited()).toEqual([]);
    expect(queuesOf(await prune('--yes', '--with-messages'))).toMatchObject([{ queue: GONE, state: 'deleted' }]);
    expect(queuesOf(await prune())).toEqual([]);
    expect(await audited()).toMatchObject([{ target: GONE, actor: 'cli:tester' }]);
  });

  it('reports when the broker does not list its queues', async () => {
    const { code, err } = await operator.run(['queues', 'prune'], {
      RABBITMQ_ADMIN_URL: rabbit.url.replace(/:[^:@]+@/, ':wrong@'),
      RABBITMQ_MANAGEMENT_URL: rabbit.managementUrl,
      BROKER_NAMESPACE: '',
    });
    expect([code, err]).toEqual([1, expect.stringContaining('answered 401')]);
    expect(err).not.toContain('wrong');
  });
});
