import {
  type Attributes,
  type Context,
  context,
  propagation,
  ROOT_CONTEXT,
  type Span,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  trace,
  TraceFlags,
} from '@opentelemetry/api';
import { detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import {
  AlwaysOffSampler,
  BatchSpanProcessor,
  NodeTracerProvider,
  ParentBasedSampler,
  RandomIdGenerator,
  type SpanProcessor,
} from '@opentelemetry/sdk-trace-node';

export { SpanKind };

export interface SpanOptions {
  kind?: SpanKind;
  attributes?: Attributes;
  /** The caller's context, as `extractTrace` gives it; the active one when absent. */
  parent?: Context;
}

/** Whether a collector is configured. */
let isExporting = false;

/**
 * Starts tracing for this process. Trace ids are made and passed on in any case, so that logs can be joined;
 * spans are recorded and exported only when a collector is given. OpenTelemetry's own variables say which spans
 * (`OTEL_TRACES_SAMPLER`, all when absent) and what else is said of the process (`OTEL_RESOURCE_ATTRIBUTES`).
 * @param endpoint base address of an OTLP/HTTP collector
 * @param version of the service
 * @returns a function that sends what is left and stops
 */
export async function startTracing(service: string, endpoint?: string, version?: string): Promise<() => Promise<void>> {
  const provider = new NodeTracerProvider({
    resource: resourceFromAttributes({
      'service.name': `switchboard-${service}`,
      'service.version': version,
    }).merge(detectResources({ detectors: [envDetector] })),
    // Without one of ours the library reads the environment.
    ...(!endpoint && { sampler: new ParentBasedSampler({ root: new AlwaysOffSampler() }) }),
    spanProcessors: endpoint ? [await processorTo(endpoint)] : [],
  });
  provider.register();
  isExporting = endpoint !== undefined;
  return async () => {
    isExporting = false;
    await provider.shutdown();
    // Tests start tracing several times in one process.
    for (const api of [trace, context, propagation]) api.disable();
  };
}

async function processorTo(endpoint: string): Promise<SpanProcessor> {
  // Loaded late: it is a twentieth of what a program loads when it starts, and most run without a collector.
  const { OTLPTraceExporter } = await import('@opentelemetry/exporter-trace-otlp-http');
  return new BatchSpanProcessor(new OTLPTraceExporter({ url: `${endpoint.replace(/\/$/, '')}/v1/traces` }));
}

/** Runs the work inside a new span, which ends with it; a thrown error marks the span as failed and goes on. */
export async function inSpan<T>(name: string, options: SpanOptions, work: (span: Span) => Promise<T> | T): Promise<T> {
  const parent = options.parent ?? context.active();
  const tracer = trace.getTracer('switchboard');
  return tracer.startActiveSpan(name, { kind: options.kind, attributes: options.attributes }, parent, async (span) => {
    try {
      return await work(span);
    } catch (error) {
      const type = typeOf(error);
      span.setStatus({ code: SpanStatusCode.ERROR, message: type }).setAttribute('error.type', type);
      throw error;
    } finally {
      span.end();
    }
  });
}

/** The code of an error that has one, else the name of its class: its message can hold data of a customer. */
function typeOf(error: unknown): string {
  if (!(error instanceof Error)) return 'error';
  const code: unknown = Reflect.get(error, 'code');
  return typeof code === 'string' ? code : error.name;
}

/** Runs work that no trace shows, here or where its messages go: a heartbeat would be most of what is recorded. */
export function untraced<T>(work: () => T): T {
  const { generateTraceId, generateSpanId } = new RandomIdGenerator();
  const unsampled = { traceId: generateTraceId(), spanId: generateSpanId(), traceFlags: TraceFlags.NONE };
  return context.with(trace.setSpanContext(context.active(), unsampled), work);
}

/** The W3C trace headers of the active span, to be sent along. */
export function injectTrace(): Record<string, string> {
  const headers: Record<string, string> = {};
  propagation.inject(context.active(), headers);
  return headers;
}

/** The context a message or request came with. */
export function extractTrace(headers: Record<string, unknown> | undefined): Context {
  return propagation.extract(context.active(), headers ?? {});
}

/** Whether the collector receives the active span. */
export function isRecorded(): boolean {
  return isExporting && (trace.getActiveSpan()?.isRecording() ?? false);
}

/** Whether the collector receives a span that starts with this parent, or may receive one that starts a trace. */
export function isTraced(parent: Context = context.active()): boolean {
  const span = trace.getSpanContext(parent);
  return isExporting && (span === undefined || (span.traceFlags & TraceFlags.SAMPLED) !== 0);
}

/** Ids of the active span, if the collector receives it. */
export function recordedSpan(): Pick<SpanContext, 'traceId' | 'spanId'> | undefined {
  return isRecorded() ? trace.getActiveSpan()?.spanContext() : undefined;
}

/** The `traceparent` of the active span, to be stored for links to it; null unless the collector receives the span. */
export function linkTarget(): string | null {
  return isRecorded() ? (injectTrace()['traceparent'] ?? null) : null;
}

/** Links the active span to spans by their stored `traceparent`, each once. */
export function linkTo(traceparents: readonly (string | null | undefined)[]): void {
  const span = isRecorded() ? trace.getActiveSpan() : undefined;
  if (!span) return;
  for (const traceparent of new Set(traceparents)) {
    const target = traceparent && trace.getSpanContext(propagation.extract(ROOT_CONTEXT, { traceparent }));
    if (target) span.addLink({ context: target });
  }
}

export function currentTraceId(): string | undefined {
  return trace.getActiveSpan()?.spanContext().traceId;
}
