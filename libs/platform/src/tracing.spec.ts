import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { currentTraceId, extractTrace, injectTrace, inSpan, startTracing, untraced } from './tracing';

const CALLER = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';

describe('tracing', () => {
  const exported: string[] = [];
  const collector = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request
      .on('data', (chunk: Buffer) => chunks.push(chunk))
      .on('end', () => {
        exported.push(`${request.url} ${Buffer.concat(chunks).toString()}`);
        response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
      });
  });
  let stop: () => Promise<void>;

  beforeAll(async () => {
    await new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve));
    process.env['OTEL_RESOURCE_ATTRIBUTES'] = 'deployment.environment.name=staging';
    const { port } = collector.address() as AddressInfo;
    stop = await startTracing('demo', `http://127.0.0.1:${port}`, '7.8.9');
  });
  afterAll(() => delete process.env['OTEL_RESOURCE_ATTRIBUTES']);
  afterAll(() => new Promise((resolve) => collector.close(resolve)));

  it("continues the caller's trace and propagates it", async () => {
    await inSpan('outer', { parent: extractTrace({ traceparent: CALLER }) }, async () => {
      expect(currentTraceId()).toBe('0af7651916cd43dd8448eb211c80319c');
      expect(injectTrace()['traceparent']).toMatch(/^00-0af7651916cd43dd8448eb211c80319c-[0-9a-f]{16}-01$/);
    });
  });

  it('starts a trace if there is none and ends it with the work', async () => {
    await inSpan('root', {}, () => expect(currentTraceId()).toMatch(/^[0-9a-f]{32}$/));
    expect(currentTraceId()).toBeUndefined();
  });

  it('records nothing downstream of untraced work', async () => {
    const headers = untraced(() => injectTrace());
    expect(headers['traceparent']).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-00$/);
    await inSpan('heard', { parent: extractTrace(headers) }, () => undefined);
  });

  it('rethrows errors of the traced work', async () => {
    await expect(inSpan('failing', {}, () => Promise.reject(new TypeError('no')))).rejects.toThrow(TypeError);
  });

  it('exports the spans to the collector before it stops', async () => {
    await stop();
    expect(exported.join()).toContain('/v1/traces');
    for (const name of ['outer', 'root', 'failing', 'switchboard-demo', '7.8.9', 'staging'])
      expect(exported.join()).toContain(`"${name}"`);
    expect(exported.join()).not.toContain('"heard"');
  });
});
