import { type ManagementListener, startManagementListener } from './management';
import { counter } from './metrics';
import { watchTurn } from './turn-watch';

describe('the management listener', () => {
  let listener: ManagementListener;
  let brokerIsUp = true;
  const get = async (path: string) => {
    const response = await fetch(`http://127.0.0.1:${listener.port}${path}`);
    return { status: response.status, text: await response.text() };
  };

  beforeAll(async () => {
    listener = await startManagementListener(
      { port: 0, address: '127.0.0.1' },
      {
        broker: () => {
          if (!brokerIsUp) throw new Error('away');
        },
        database: async () => {},
      },
    );
  });
  afterAll(() => listener.close());

  it('is live and ready when all checks pass', async () => {
    expect((await get('/live')).status).toBe(200);
    expect(await get('/ready')).toEqual({ status: 200, text: '{"status":"ready","failed":[]}' });
  });

  it('names the part that is not ready and stays live', async () => {
    brokerIsUp = false;
    expect(await get('/ready')).toEqual({ status: 503, text: '{"status":"not ready","failed":["broker"]}' });
    expect((await get('/live')).status).toBe(200);
    brokerIsUp = true;
  });

  it('is not live while a loop hangs', async () => {
    const ended = watchTurn('outbox', -1);
    expect(await get('/live')).toEqual({ status: 503, text: '{"status":"stuck","failed":["outbox"]}' });
    ended();
    expect((await get('/live')).status).toBe(200);
  });

  it('shows metrics as Prometheus text', async () => {
    counter('demo_total', 'A demo', ['kind']).inc({ kind: 'x' });
    expect((await get('/metrics')).text).toContain('switchboard_demo_total{kind="x"} 1');
  });

  it('answers 404 elsewhere', async () => expect((await get('/')).status).toBe(404));

  it('takes no more work once it stops', async () => {
    listener.refuseWork();
    expect(await get('/ready')).toMatchObject({ status: 503, text: expect.stringContaining('stopping') });
  });
});
