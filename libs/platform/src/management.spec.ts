import { createLogger } from './logging';
import { type ManagementListener, startManagementListener } from './management';
import { counter } from './metrics';
import { watchTurn } from './turn-watch';

describe('the management listener', () => {
  const logger = createLogger('demo', 'info', { write: () => undefined });
  let listener: ManagementListener;
  let brokerIsUp = true;
  const checks = {
    broker: () => {
      if (!brokerIsUp) throw new Error('away');
    },
    database: async () => {},
  };
  const get = async (path: string) => {
    const response = await fetch(`http://127.0.0.1:${listener.port}${path}`);
    return { status: response.status, text: await response.text() };
  };

  beforeAll(async () => {
    listener = await startManagementListener({ port: 0, address: '127.0.0.1', logger });
  });
  afterAll(() => listener.close());

  it('is live but not ready during startup, and reports why', async () => {
    expect((await get('/live')).status).toBe(200);
    expect(await get('/ready')).toEqual({ status: 503, text: '{"status":"not ready","failed":["starting"]}' });
    brokerIsUp = false;
    listener.watch({ checks });
    expect(await get('/health')).toEqual({ status: 503, text: '{"status":"degraded","failed":["starting","broker"]}' });
    brokerIsUp = true;
  });

  it('is live and ready when all checks pass', async () => {
    listener.started();
    expect(await get('/health')).toEqual({ status: 200, text: '{"status":"healthy","failed":[]}' });
    expect((await get('/live')).status).toBe(200);
    expect(await get('/ready')).toEqual({ status: 200, text: '{"status":"ready","failed":[]}' });
  });

  it('names the failed dependency and stays live', async () => {
    brokerIsUp = false;
    expect(await get('/ready')).toEqual({ status: 503, text: '{"status":"not ready","failed":["broker"]}' });
    expect((await get('/live')).status).toBe(200);
    brokerIsUp = true;
  });

  it('stays ready without dependencies if the service can serve alone', async () => {
    listener.watch({ checks, servesAlone: true });
    brokerIsUp = false;
    expect(await get('/ready')).toEqual({ status: 200, text: '{"status":"ready","failed":[]}' });
    expect(await get('/health')).toEqual({ status: 503, text: '{"status":"degraded","failed":["broker"]}' });
    brokerIsUp = true;
  });

  it('is not live while a loop hangs', async () => {
    const ended = watchTurn('outbox', -1);
    expect(await get('/live')).toEqual({ status: 503, text: '{"status":"stuck","failed":["outbox"]}' });
    ended();
    expect((await get('/live')).status).toBe(200);
  });

  it('exports metrics as Prometheus text', async () => {
    counter('demo_total', 'A demo', { kind: [] }).inc({ kind: 'x' });
    expect((await get('/metrics')).text).toContain('switchboard_demo_total{kind="x"} 1');
  });

  it('exports 0 for label values that were not counted yet', async () => {
    const tries = counter('tries_total', 'A demo', { kind: ['x', 'y'], outcome: ['good', 'bad'] });
    tries.inc({ kind: 'x', outcome: 'bad' });
    counter('single_total', 'A demo');
    const { text } = await get('/metrics');
    const shown = text.split('\n').filter((line) => /^switchboard_(tries|single)_total/.test(line));
    expect(shown.sort()).toEqual([
      'switchboard_single_total 0',
      'switchboard_tries_total{kind="x",outcome="bad"} 1',
      'switchboard_tries_total{kind="x",outcome="good"} 0',
      'switchboard_tries_total{kind="y",outcome="bad"} 0',
      'switchboard_tries_total{kind="y",outcome="good"} 0',
    ]);
  });

  it('exports the state of each dependency', async () => {
    brokerIsUp = false;
    const { text } = await get('/metrics');
    brokerIsUp = true;
    expect(text).toContain('switchboard_dependency_up{dependency="broker"} 0');
    expect(text).toContain('switchboard_dependency_up{dependency="database"} 1');
  });

  it('changes the log level and rejects unknown levels', async () => {
    const put = (level: string) =>
      fetch(`http://127.0.0.1:${listener.port}/log-level?level=${level}`, { method: 'PUT' }).then(
        ({ status }) => status,
      );
    expect(await put('loud')).toBe(400);
    expect(await get('/log-level')).toEqual({ status: 200, text: '{"level":"info"}' });
    expect(await put('debug')).toBe(200);
    expect(logger.level).toBe('debug');
  });

  it('returns 404 for other paths', async () => expect((await get('/')).status).toBe(404));

  it('is not ready once the service stops', async () => {
    listener.refuseWork();
    listener.started();
    expect(await get('/ready')).toMatchObject({ status: 503, text: expect.stringContaining('stopping') });
  });
});
