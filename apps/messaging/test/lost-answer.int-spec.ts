import { newId } from '@switchboard/contracts';
import { eventually, startTcpProxy, type TcpProxy, testDatabaseUrl } from '@switchboard/testing';
import { type RunningMessaging, startMessaging } from './support/start-messaging';

describe('a send whose first database response is lost', () => {
  let proxy: TcpProxy;
  let messaging: RunningMessaging;

  beforeAll(async () => {
    const { hostname, port } = new URL(testDatabaseUrl());
    proxy = await startTcpProxy({ host: hostname, port: Number(port || 5432) });
    messaging = await startMessaging({ graceSeconds: 2, reachDatabase: (address) => proxy.through(address) });
  });
  afterAll(async () => {
    await messaging.stop();
    await proxy.close();
  });

  it('has an unknown outcome and is sent once by the reconciler', async () => {
    const account = await messaging.addAccount();
    await messaging.writeIn(account);
    const id = newId('msg');
    // Break only this connection: a reconciler whose connection breaks pauses for longer than the test.
    const isLost = proxy.loseAnswer(id, 'COMMIT');
    const outcome = messaging.send(account.accountId, { text: { body: 'Hello' } }, id).catch((error: unknown) => error);
    await isLost;
    messaging.openIngress();
    expect(await outcome).toMatchObject({ code: 'UPSTREAM_TIMEOUT' });
    const stateOf = async () => (await messaging.dataSource.query('SELECT state FROM messages WHERE id = $1', [id]))[0];
    await eventually(
      async () =>
        expect(await stateOf()).toMatchObject({ state: expect.stringMatching(/^(accepted|sent|delivered|read)$/) }),
      { timeoutMs: 20_000 },
    );
    expect(messaging.upstream.sends.filter(({ echo }) => echo === id)).toHaveLength(1);
  });
});
