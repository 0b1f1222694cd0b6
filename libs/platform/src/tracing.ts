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
  /** Context of the caller, as returned by `extractTrace`; the active one when absent. */
  parent?: Context;
}

let isExporting = false;

/**
 * Starts tracing for this process. Trace ids are always created and propagated, so that logs can be correlated. Spans
 * are recorded and exported only with a collector. OpenTelemetry's own variables select the spans
 * (`OTEL_TRACES_SAMPLER`, all when absent) and add attributes of the process (`OTEL_RESOURCE_ATTRIBUTES`).
 * @param endpoint base address of an OTLP/HTTP collector
 * @param version of the service
 * @returns a function that flushes pending spans and stops tracing
 */
export async function startTracing(service: string, endpoint?: string, version?: string): Promise<() => Promise<void>> {
  const provider = new NodeTracerProvider({
    resource: resourceFromAttributes({
      'service.name': `switchboard-${service}`,
      'service.version': version,
    }).merge(detectResources({ detectors: [envDetector] })),
    // Without an explicit sampler, the library would use the sampler from the environment.
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
  // Load lazily: the exporter is a twentieth of what a program loads at startup, and most programs run without a
  // collector.
  const { OTLPTraceExporter } = await import('@opentelemetry/exporter-trace-otlp-http');
  return new BatchSpanProcessor(new OTLPTraceExporter({ url: `${endpoint.replace(/\/$/, '')}/v1/traces` }));
}

/** Runs the work inside a new span. An error marks the span as failed and is rethrown. */
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

/** Returns the code of an error, or the name of its class. The message may contain customer data. */
function typeOf(error: unknown): string {
  if (!(error instanceof Error)) return 'error';
  const code: unknown = Reflect.get(error, 'code');
  return typeof code === 'string' ? code : error.name;
}

/**
 * Runs work that appears in no trace, here or downstream. Heartbeats, for example, would dominate the recorded spans.
 */
export function untraced<T>(work: () => T): T {
  const { generateTraceId, generateSpanId } = new RandomIdGenerator();
  const unsampled = { traceId: generateTraceId(), spanId: generateSpanId(), traceFlags: TraceFlags.NONE };
  return context.with(trace.setSpanContext(context.active(), unsampled), work);
}

/** Returns the W3C trace headers of the active span, for outgoing calls. */
export function injectTrace(): Record<string, string> {
  const headers: Record<string, string> = {};
  propagation.inject(context.active(), headers);
  return headers;
}

/** Returns the trace context of a message or request. */
export function extractTrace(headers: Record<string, unknown> | undefined): Context {
  return propagation.extract(context.active(), headers ?? {});
}

export function isRecorded(): boolean {
  return isExporting && (trace.getActiveSpan()?.isRecording() ?? false);
}

/** Returns whether a span with this parent, or possibly a new trace, is exported to the collector. */
export function isTraced(parent: Context = context.active()): boolean {
  const span = trace.getSpanContext(parent);
  return isExporting && (span === undefined || (span.traceFlags & TraceFlags.SAMPLED) !== 0);
}

/** Returns the ids of the active span, or undefined unless the span is exported to the collector. */
export function recordedSpan(): Pick<SpanContext, 'traceId' | 'spanId'> | undefined {
  return isRecorded() ? trace.getActiveSpan()?.spanContext() : undefined;
}

/** Returns the `traceparent` of the active span, to be stored for later links, or null unless the span is exported. */
export function linkTarget(): string | null {
  return isRecorded() ? (injectTrace()['traceparent'] ?? null) : null;
}

/** Links the active span to spans by their stored `traceparent`, ignoring duplicates. */
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
