import {
  collectProcessMetrics,
  counter,
  createLogger,
  histogram,
  inSpan,
  type ManagementListener,
  startManagementListener,
  startTracing,
} from '@switchboard/platform';
import { eventually, freePort, startCollector, type TraceCollector } from '@switchboard/testing';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type PrivatePrometheus, startPrometheus } from '../tools/infra/prometheus.mjs';

const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), '..');

describe('Prometheus scraping', () => {
  let collector: TraceCollector;
  let listener: ManagementListener;
  let prometheus: PrivatePrometheus;
  let stopTracing: () => Promise<void>;
  let traceId: string;

  beforeAll(async () => {
    collector = await startCollector();
    stopTracing = await startTracing('demo', collector.url);
    collectProcessMetrics();
    counter('scraped_total', 'A demo', { kind: ['x'] }).inc({ kind: 'x' }, 3);
    traceId = await inSpan('work', {}, (span) => {
      histogram('scraped_seconds', 'A demo', ['kind']).observe({ kind: 'x' }, 0.2);
      return span.spanContext().traceId;
    });
    const logger = createLogger('demo', 'silent');
    listener = await startManagementListener({ port: 0, address: '127.0.0.1', logger });
    prometheus = await startPrometheus({
      dir: resolve(ROOT, '.local/scrape-prometheus'),
      port: await freePort(),
      rules: {},
      targets: [{ job: 'demo', address: `127.0.0.1:${listener.port}` }],
      log: (text: string) => process.stderr.write(`${text}\n`),
    });
  }, 120_000);
  afterAll(async () => {
    await prometheus?.stop();
    await listener?.close();
    await stopTracing?.();
    await collector?.close();
  });

  it('reads the management port with the names and labels the rules expect', async () => {
    await eventually(async () => expect(await valueOf('up{job="demo"}')).toBe('1'), { timeoutMs: 30_000 });
    expect(await valueOf('switchboard_scraped_total{kind="x"}')).toBe('3');
    expect(await valueOf('switchboard_scraped_seconds_bucket{le="0.25",kind="x"}')).toBe('1');
    expect(await valueOf('process_cpu_seconds_total')).toBeDefined();
  });

  it('stores trace ids as exemplars', async () => {
    await eventually(async () => {
      const [series] = await prometheus.exemplars('switchboard_scraped_seconds_bucket');
      expect(series?.exemplars).toEqual([expect.objectContaining({ value: '0.2' })]);
      expect(series?.exemplars[0]?.labels['trace_id']).toBe(traceId);
    });
  });

  const valueOf = async (expression: string): Promise<string | undefined> =>
    (await prometheus.query(expression))[0]?.value[1];
});
