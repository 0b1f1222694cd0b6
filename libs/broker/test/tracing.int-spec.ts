import { deliverEventV1, messageReceivedV1, setEndpointV1, templateStatusChangedV1 } from '@switchboard/contracts';
import { currentTraceId, injectTrace, inSpan, SpanKind, startTracing, untraced } from '@switchboard/platform';
import {
  deleteNamespace,
  eventually,
  type ExportedSpan,
  startCollector,
  testBrokerOptions,
  type TraceCollector,
} from '@switchboard/testing';
import type { Broker } from '../src/index';
import { connectGateway, startWebhooks, type WebhooksHandlers, type WebhooksService } from './support/webhooks-service';

describe('a trace', () => {
  const options = testBrokerOptions();
  let collector: TraceCollector;
  let stopTracing: () => Promise<void>;
  let handlers: Partial<WebhooksHandlers> = {};
  let service: WebhooksService;
  let gateway: Broker;

  beforeAll(async () => {
    collector = await startCollector();
    stopTracing = await startTracing('test', collector.url);
    service = await startWebhooks(options, {
      setEndpoint: (body, delivery) => handlers.setEndpoint?.(body, delivery) ?? setEndpointV1.sample.response,
      deliver: (body, delivery) => handlers.deliver?.(body, delivery),
      takeReceived: (body, delivery) => handlers.takeReceived?.(body, delivery),
    });
    gateway = await connectGateway(options);
  });
  beforeEach(() => (handlers = {}));

  afterAll(async () => {
    await gateway.close();
    await service.close();
    await stopTracing();
    await collector.close();
    await deleteNamespace(options.namespace);
  });

  it('continues through commands, tasks and their retries', async () => {
    const seen: Record<string, (string | undefined)[]> = { command: [], task: [] };
    handlers = {
      setEndpoint: () => {
        seen['command']?.push(currentTraceId());
        return setEndpointV1.sample.response;
      },
      deliver: (_body, { failures }) => {
        seen['task']?.push(currentTraceId());
        if (failures === 0) throw new Error('again');
      },
    };
    const traceId = await inSpan('request', {}, async () => {
      await gateway.request(setEndpointV1, setEndpointV1.sample.request);
      await gateway.enqueue(deliverEventV1, deliverEventV1.sample);
      return currentTraceId();
    });
    await eventually(() => expect(seen).toEqual({ command: [traceId], task: [traceId, traceId] }));
    expect(traceId).toMatch(/^[0-9a-f]{32}$/);
  });

  it('is separate for each command of a group', async () => {
    const seen: Record<string, string | undefined> = {};
    handlers = {
      setEndpoint: ({ url }) => {
        seen[url] = currentTraceId();
        return setEndpointV1.sample.response;
      },
    };
    const asked = ['a', 'b'].map((url) =>
      inSpan(url, {}, async () => {
        await gateway.request({ ...setEndpointV1, grouped: true }, { ...setEndpointV1.sample.request, url });
        return [url, currentTraceId()];
      }),
    );
    const traces = await Promise.all(asked);
    expect(seen).toEqual(Object.fromEntries(traces));
    expect(seen['a']).not.toBe(seen['b']);
  });

  it('shows a command as a client span with its consumer span', async () => {
    const messageIds: string[] = [];
    handlers = {
      setEndpoint: (_body, { messageId }) => {
        messageIds.push(messageId);
        return setEndpointV1.sample.response;
      },
    };
    const spans = await spansOf(() => gateway.request(setEndpointV1, setEndpointV1.sample.request));
    const destination = `${options.namespace}.sb.gateway:${setEndpointV1.name}`;
    const [request, handled] = [spanOf(spans, `request ${destination}`), spanOf(spans, `process ${destination}`)];
    expect(request.kind).toBe(otlp(SpanKind.CLIENT));
    expect(handled).toMatchObject({ kind: otlp(SpanKind.CONSUMER), parentSpanId: request.spanId });
    const common = {
      'messaging.system': 'rabbitmq',
      'messaging.system.name': 'rabbitmq',
      'messaging.destination.name': destination,
      'messaging.rabbitmq.destination.routing_key': setEndpointV1.name,
      'rabbitmq.destination.routing_key': setEndpointV1.name,
      'messaging.message.id': messageIds[0],
    };
    expect(request.attributes).toEqual({
      ...common,
      'messaging.operation.name': 'request',
      'messaging.operation.type': 'send',
    });
    expect(handled.attributes).toEqual({
      ...common,
      'messaging.operation.name': 'process',
      'messaging.operation.type': 'process',
    });
  });

  it.each([
    ['an event', messageReceivedV1.name, () => gateway.publish(messageReceivedV1, messageReceivedV1.sample)],
    ['a task', deliverEventV1.name, () => gateway.enqueue(deliverEventV1, deliverEventV1.sample)],
  ])('shows %s as a producer span with its consumer span', async (_kind, name, publish) => {
    const spans = await spansOf(publish);
    const work = spanOf(spans, 'work');
    const sent = spans.find((span) => span.name.startsWith('send ') && span.name.endsWith(`:${name}`));
    expect(sent).toMatchObject({ kind: otlp(SpanKind.PRODUCER), parentSpanId: work.spanId });
    expect(sent?.attributes).toMatchObject({ 'messaging.operation.type': 'send', 'messaging.operation.name': 'send' });
    await eventually(() => {
      const handled = collector.spans.find(({ parentSpanId }) => parentSpanId === sent?.spanId);
      expect(handled).toMatchObject({ kind: otlp(SpanKind.CONSUMER), name: sent?.name.replace('send', 'process') });
    });
  });

  it('continues the trace of a message from the outbox', async () => {
    const seen: (string | undefined)[] = [];
    handlers = { deliver: () => void seen.push(currentTraceId()) };
    const headers = await inSpan('work', {}, () => injectTrace());
    const message = { kind: 'task' as const, name: deliverEventV1.name, messageId: 'evt_1', headers };
    await gateway.send({ ...message, body: JSON.stringify(deliverEventV1.sample) });
    const [, traceId, spanId] = headers['traceparent']?.split('-') ?? [];
    await eventually(() => expect(seen).toEqual([traceId]));
    await eventually(() => {
      const own = collector.spans.filter((span) => span.attributes['messaging.message.id'] === 'evt_1');
      const sent = own.find(({ kind }) => kind === otlp(SpanKind.PRODUCER));
      expect(sent?.parentSpanId).toBe(spanId);
    });
  });

  it('omits untraced messages', async () => {
    const seen: (string | undefined)[] = [];
    handlers = { takeReceived: () => void seen.push(currentTraceId()) };
    await untraced(() => gateway.publish(messageReceivedV1, messageReceivedV1.sample));
    await eventually(() => expect(seen.length).toBe(1));
    await spansOf(() => gateway.publish(templateStatusChangedV1, templateStatusChangedV1.sample));
    expect(collector.spans.filter(({ traceId }) => traceId === seen[0])).toEqual([]);
  });

  /** Runs the work in a span. Returns the spans of its trace that have ended by then. */
  async function spansOf(work: () => Promise<unknown>): Promise<ExportedSpan[]> {
    const traceId = await inSpan('work', {}, async () => {
      await work();
      return currentTraceId();
    });
    const own = (): ExportedSpan[] => collector.spans.filter((span) => span.traceId === traceId);
    await eventually(() => expect(own().map(({ name }) => name)).toContain('work'));
    return own();
  }
});

/** Converts a span kind to its OTLP number, which is one higher. */
const otlp = (kind: SpanKind): number => kind + 1;

function spanOf(spans: readonly ExportedSpan[], name: string): ExportedSpan {
  const span = spans.find((candidate) => candidate.name === name);
  if (!span) throw new Error(`no span ${name} among ${spans.map((each) => each.name).join(', ')}`);
  return span;
}
