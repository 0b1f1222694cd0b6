import { newId } from '@switchboard/contracts';
import { eventually, startTcpProxy, type TcpProxy, testDatabaseUrl } from '@switchboard/testing';
import { type RunningMessaging, startMessaging } from './support/start-messaging';

describe('a send whose first row is written, but the answer of the database is lost', () => {
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

  it('has an unknown outcome, is never called unavailable, and is sent once by the reconciler', async () => {
    const account = await messaging.addAccount();
    await messaging.writeIn(account);
    const id = newId('msg');
    // The commit waits for a lock, and the connection breaks meanwhile: the server goes on with what it was told last.
    await messaging.dataSource.query(`CREATE FUNCTION wait_for_lock() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_advisory_xact_lock(1); RETURN NULL; END $$`);
    await messaging.dataSource.query('CREATE CONSTRAINT TRIGGER waits AFTER INSERT ON messages DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION wait_for_lock()');
    const lock = messaging.dataSource.createQueryRunner();
    await lock.startTransaction();
    await lock.query('SELECT pg_advisory_xact_lock(1)');
    const outcome = messaging.send(account.accountId, { text: { body: 'Hello' } }, id).catch((error: unknown) => error);
    const waiting = `SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query = 'COMMIT' AND datname = current_database()`;
    await eventually(async () => expect(await messaging.dataSource.query(waiting)).toHaveLength(1));
    proxy.drop();
    await lock.commitTransaction();
    await lock.release();

    messaging.openDoor();
    expect(await outcome).toMatchObject({ code: 'UPSTREAM_TIMEOUT' });
    const stateOf = async () => (await messaging.dataSource.query('SELECT state FROM messages WHERE id = $1', [id]))[0];
    await eventually(async () => expect(await stateOf()).toMatchObject({ state: expect.stringMatching(/^(accepted|sent|delivered|read)$/) }), { timeoutMs: 20_000 });
    expect(messaging.upstream.sends.filter(({ echo }) => echo === id)).toHaveLength(1);
  });
});
