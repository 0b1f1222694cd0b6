import {
  collectDefaultMetrics,
  Counter,
  Gauge,
  Histogram,
  type LabelValues,
  type Metric,
  type OpenMetricsContentType,
  Registry,
} from 'prom-client';
import { recordedSpan } from './tracing';

/** All figures of this process, shown at `/metrics` of the management listener. */
export const metricsRegistry = new Registry();
/** The library stores exemplars only in metrics that belong to an OpenMetrics registry. */
const exemplarRegistry = newOpenMetricsRegistry();

/**
 * Renders the metrics in the format that the scraper accepts: OpenMetrics, which has exemplars, or Prometheus text.
 * @param accept the `Accept` header of the scrape
 */
export async function renderMetrics(accept = ''): Promise<{ contentType: string; text: string }> {
  if (!accept.includes('application/openmetrics-text'))
    return { contentType: metricsRegistry.contentType, text: await metricsRegistry.metrics() };
  const registry = newOpenMetricsRegistry();
  for (const { name } of metricsRegistry.getMetricsAsArray()) registry.registerMetric(sharedView(name));
  return { contentType: registry.contentType, text: await registry.metrics() };
}

function newOpenMetricsRegistry(): Registry<OpenMetricsContentType> {
  const registry = new Registry<OpenMetricsContentType>();
  registry.setContentType(Registry.OPENMETRICS_CONTENT_TYPE);
  return registry;
}

/** The library renames counters for OpenMetrics: it renames a view, and the counter keeps its name. */
function sharedView(name: string): Metric {
  const metric = metricsRegistry.getSingleMetric(name) as Metric;
  return metric instanceof Counter ? (Object.create(metric) as Metric) : metric;
}

/** Seconds, from a cache hit to the longest deadline of ours. */
const DURATION_BUCKETS_SECONDS = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/**
 * A counter `switchboard_<name>`; asking twice gives the same one.
 * @param labels each label with the values that it can have: what can be counted is shown as 0 from the start, since
 * Prometheus sees no increase in a series that begins at 1. Without values, what was counted is shown
 */
export function counter<Label extends string = never>(
  name: string,
  help: string,
  labels: Readonly<Record<Label, readonly string[]>> = {} as Record<Label, readonly string[]>,
): Counter<Label> {
  const found = metricsRegistry.getSingleMetric(`switchboard_${name}`) as Counter<Label> | undefined;
  if (found) return found;
  const labelNames = Object.keys(labels) as Label[];
  const made = new Counter({ name: `switchboard_${name}`, help, labelNames, registers: [metricsRegistry] });
  for (const values of combinationsOf(labels)) made.inc(values, 0);
  return made;
}

function combinationsOf<Label extends string>(
  labels: Readonly<Record<Label, readonly string[]>>,
): Partial<Record<Label, string>>[] {
  return Object.entries<readonly string[]>(labels).reduce<Partial<Record<Label, string>>[]>(
    (before, [label, values]) => before.flatMap((one) => values.map((value) => ({ ...one, [label]: value }))),
    [{}],
  );
}

/**
 * A gauge `switchboard_<name>`; asking twice gives the same one.
 * @param collect sets its values whenever somebody asks for the figures
 */
export function gauge<Label extends string>(
  name: string,
  help: string,
  labelNames: readonly Label[] = [],
  collect?: (this: Gauge<Label>) => Promise<void> | void,
): Gauge<Label> {
  const found = metricsRegistry.getSingleMetric(`switchboard_${name}`) as Gauge<Label> | undefined;
  return (
    found ??
    new Gauge({
      name: `switchboard_${name}`,
      help,
      labelNames: [...labelNames],
      registers: [metricsRegistry],
      ...(collect && { collect }),
    })
  );
}

/** How often a service counts what waits in its database and its queues, in milliseconds. */
export const COUNT_BACKLOG_EVERY_MS = 15_000;
/** A backlog is counted to this number: to count a longer one would burden a database that has enough to do. */
export const COUNT_BACKLOG_TO = 100_000;

/**
 * Returns the histogram `switchboard_<name>` of durations in seconds. An observation inside a recorded span is the
 * exemplar of its bucket.
 */
export function histogram<Label extends string>(
  name: string,
  help: string,
  labelNames: readonly Label[] = [],
  buckets: number[] = DURATION_BUCKETS_SECONDS,
): Histogram<Label> {
  const found = metricsRegistry.getSingleMetric(`switchboard_${name}`) as Histogram<Label> | undefined;
  if (found) return found;
  const made = new Histogram({
    name: `switchboard_${name}`,
    help,
    labelNames: [...labelNames],
    buckets,
    registers: [exemplarRegistry],
    enableExemplars: true,
  });
  metricsRegistry.registerMetric(made);
  return withExemplars(made);
}

/** Lets callers observe `(labels, value)` or `(value)`, as without exemplars. */
function withExemplars<Label extends string>(made: Histogram<Label>): Histogram<Label> {
  const observe = made.observe.bind(made) as Histogram<Label>['observe'];
  made.observe = (given: LabelValues<Label> | number | object, seconds?: number): void => {
    const [labels, value] = typeof given === 'number' ? [{}, given] : [given as LabelValues<Label>, seconds];
    if (value === undefined) return observe(given as Parameters<typeof observe>[0]);
    observe({ labels, value, exemplarLabels: exemplarLabels() as LabelValues<Label> });
  };
  return made;
}

function exemplarLabels(): Record<string, string> {
  const span = recordedSpan();
  return span ? { trace_id: span.traceId, span_id: span.spanId } : {};
}

/**
 * How often the event loop's delay is measured; its figures count from there, so that 0.1 s is none. Each measurement
 * wakes the process: at the library's own 10 ms a process that does nothing used 3-4 % of a core.
 */
const LOOP_DELAY_EVERY_MS = 100;

/** Adds memory, event loop and garbage collection figures of the process. */
export function collectProcessMetrics(): void {
  collectDefaultMetrics({ register: metricsRegistry, eventLoopMonitoringPrecision: LOOP_DELAY_EVERY_MS });
}
