import { createBroker } from '@switchboard/broker';
import { newId, numberStoppedV1 } from '@switchboard/contracts';
import { eventually, silentLogger } from '@switchboard/testing';
import { type Customer, type GatewayUnderTest, startGateway } from './support/gateway';
import { operatorOn } from './support/operator';

interface Entries {
  entries: object[];
}

describe('stopped business number', () => {
  let gateway: GatewayUnderTest;
  let customer: Customer;
  let other: Customer;

  beforeAll(async () => {
    gateway = await startGateway();
    customer = await gateway.customer();
    other = await gateway.customer();
  });
  afterAll(() => gateway.close());

  it('is audited once, with the reason', async () => {
    const { RABBITMQ_URL: url, BROKER_NAMESPACE: namespace } = gateway.config;
    const messaging = createBroker({ service: 'messaging', url, namespace, logger: silentLogger });
    await messaging.connect();
    const { reason, timestamp } = numberStoppedV1.sample;
    const tell = (accountId: string, phoneNumber: string, messageId: string) =>
      messaging.publish(
        numberStoppedV1,
        { accountId, numberId: newId('num'), phoneNumber, reason, timestamp },
        { messageId },
      );
    const messageId = newId('evt');
    for (let times = 0; times < 2; times += 1) await tell(customer.accountId, '15550783881', messageId);
    await tell(other.accountId, '15550783882', newId('evt'));
    await messaging.close();
    const listed = async (accountId: string): Promise<object[]> =>
      (await operatorOn(gateway).json<Entries>('audit', 'list', '--account', accountId, '--action', 'number.stop'))
        .entries;
    await eventually(async () => expect(await listed(other.accountId)).toMatchObject([{ target: '15550783882' }]));
    expect(await listed(customer.accountId)).toMatchObject([
      { actor: 'messaging', target: '15550783881', details: { reason, stoppedAt: timestamp } },
    ]);
  });
});
