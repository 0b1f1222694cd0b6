import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { collectProcessMetrics, counter, gauge, histogram, metricsRegistry, renderMetrics } from './metrics';
import { inSpan, startTracing } from './tracing';

const OPEN_METRICS = 'application/openmetrics-text;version=1.0.0;q=0.6,text/plain;version=0.0.4;q=0.2,*/*;q=0.1';

describe('renderMetrics', () => {
  const collector = createServer((request, response) => {
    request.resume().on('end', () => response.writeHead(200, { 'content-type': 'application/json' }).end('{}'));
  });
  let stop: () => Promise<void>;

  beforeAll(async () => {
    await new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve));
    stop = await startTracing('demo', `http://127.0.0.1:${(collector.address() as AddressInfo).port}`);
    collectProcessMetrics();
    counter('shown_total', 'A demo', { kind: ['x'] }).inc({ kind: 'x' });
    gauge('level', 'A demo').set(7);
  });
  afterAll(async () => {
    await stop();
    collector.close();
  });

  it('returns Prometheus text unless the scraper accepts OpenMetrics', async () => {
    const { contentType, text } = await renderMetrics('*/*');
    expect(contentType).toBe('text/plain; version=0.0.4; charset=utf-8');
    expect(text).toContain('# TYPE switchboard_shown_total counter\n');
    expect(text).not.toContain('# EOF');
  });

  it('returns OpenMetrics for a scraper that accepts it', async () => {
    const { contentType, text } = await renderMetrics(OPEN_METRICS);
    expect(contentType).toBe('application/openmetrics-text; version=1.0.0; charset=utf-8');
    expect(text).toContain('# TYPE switchboard_shown counter\nswitchboard_shown_total{kind="x"} 1\n');
    expect(text).toMatch(/\n# EOF\n$/);
  });

  it('returns the same series in both formats, in any order', async () => {
    histogram('kept_seconds', 'A demo', ['kind']).observe({ kind: 'x' }, 0.1);
    const before = seriesOf((await renderMetrics()).text);
    const open = seriesOf((await renderMetrics(OPEN_METRICS)).text);
    expect(before).toEqual(open);
    expect(seriesOf((await renderMetrics()).text)).toEqual(open);
    expect(open).toContain('switchboard_kept_seconds_bucket{le="0.1",kind="x"}');
  });

  it('adds the trace of the latest observation to each bucket', async () => {
    const seconds = histogram('traced_seconds', 'A demo', ['kind']);
    const plain = histogram('untraced_seconds', 'A demo');
    plain.observe(0.2);
    const traceId = await inSpan('work', {}, (span) => {
      seconds.observe({ kind: 'x' }, 0.2);
      return span.spanContext().traceId;
    });
    const { text } = await renderMetrics(OPEN_METRICS);
    expect(text).toMatch(
      new RegExp(`traced_seconds_bucket{le="0.25",kind="x"} 1 # {trace_id="${traceId}",span_id="[0-9a-f]{16}"} 0.2 `),
    );
    expect(text).toContain('switchboard_untraced_seconds_bucket{le="0.25"} 1\n');
    expect((await renderMetrics()).text).not.toContain('trace_id');
  });

  it('includes observations of a histogram without labels', async () => {
    histogram('bare_seconds', 'A demo').observe(0.2);
    expect(await metricsRegistry.getSingleMetricAsString('switchboard_bare_seconds')).toContain(
      'switchboard_bare_seconds_sum 0.2\nswitchboard_bare_seconds_count 1',
    );
  });
});

function seriesOf(text: string): string[] {
  const samples = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return samples.map((line) => line.replace(/ # \{.*$/, '').replace(/ [^ ]+$/, '')).sort();
}
