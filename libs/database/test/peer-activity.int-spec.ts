import { activity, asRoutine } from '@switchboard/platform';
import { createTestDatabase, eventually, type TestDatabase } from '@switchboard/testing';
import { dueIn, query } from '../src';
import { PeerActivity } from '../src/peer-activity';

describe('activity of a service', () => {
  let database: TestDatabase;
  let peers: PeerActivity;
  const heard = jest.spyOn(activity, 'heard');
  const isIdle = jest.spyOn(activity, 'isIdle', 'get');

  beforeAll(async () => {
    database = await createTestDatabase('demo', []);
    peers = new PeerActivity({ schema: 'demo', url: database.url });
  });
  afterAll(async () => {
    await peers.onApplicationShutdown();
    await database.drop();
  });
  beforeEach(async () => {
    await peers.listen();
    heard.mockClear();
    isIdle.mockReset();
  });
  afterAll(() => jest.restoreAllMocks());

  const endSession = () =>
    query(
      database.dataSource,
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE application_name = 'switchboard-demo-activity' AND datname = current_database()`,
    );

  it('is heard by another process', async () => {
    await asRoutine(() => query(database.dataSource, 'NOTIFY switchboard_demo'));
    await eventually(() => expect(heard).toHaveBeenCalled());
  });

  it('counts statements for callers, but not routine work', async () => {
    const noted = jest.spyOn(activity, 'note');
    await asRoutine(() => query(database.dataSource, 'SELECT 1'));
    expect(noted).not.toHaveBeenCalled();
    await query(database.dataSource, 'SELECT 1');
    expect(noted).toHaveBeenCalled();
  });

  it('ends all rests when its connection is lost', async () => {
    let ended = 0;
    const stop = activity.onWork(() => (ended += 1));
    await endSession();
    await eventually(() => expect(ended).toBeGreaterThan(0));
    stop();
    await peers.listen();
    heard.mockClear();
    await asRoutine(() => query(database.dataSource, 'NOTIFY switchboard_demo'));
    await eventually(() => expect(heard).toHaveBeenCalled());
  });

  it('lets an idle loop rest until work is due', async () => {
    const soon = "SELECT clock_timestamp() + interval '20 seconds'";
    isIdle.mockReturnValue(false);
    await expect(dueIn(database.dataSource, soon, 200)).resolves.toBe(false);
    isIdle.mockReturnValue(true);
    const restMs = await dueIn(database.dataSource, soon, 200);
    expect(restMs).toBeGreaterThan(10_000);
    expect(restMs).toBeLessThanOrEqual(20_000);
    await expect(dueIn(database.dataSource, 'SELECT now()', 200)).resolves.toBe(200);
    await expect(dueIn(database.dataSource, 'SELECT NULL::timestamptz', 200)).resolves.toBe(false);
  });
});
