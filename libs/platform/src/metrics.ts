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

/** Metrics of this process, served at `/metrics` of the management listener. */
export const metricsRegistry = new Registry();
/** Separate registry for histograms, because the library stores exemplars only in an OpenMetrics registry. */
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

/**
 * Returns a view of the metric, so that the library's renaming of counters for OpenMetrics leaves the original name
 * intact.
 */
function sharedView(name: string): Metric {
  const metric = metricsRegistry.getSingleMetric(name) as Metric;
  return metric instanceof Counter ? (Object.create(metric) as Metric) : metric;
}

/** Buckets in seconds, from a cache hit to the longest deadline. */
const DURATION_BUCKETS_SECONDS = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/**
 * Returns the counter `switchboard_<name>`, which is created once.
 * @param labels possible values of each label. All combinations start at 0, because Prometheus sees no increase in a
 * series that starts at 1. A label without listed values is exported once counted
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
 * Returns the gauge `switchboard_<name>`, which is created once.
 * @param collect sets the values at each scrape
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

/** Interval at which a service counts its backlog in database and queues, in milliseconds. */
export const COUNT_BACKLOG_EVERY_MS = 15_000;
/** Maximum backlog to count. Counting more would burden a database that is already busy. */
export const COUNT_BACKLOG_TO = 100_000;

/**
 * Returns the histogram `switchboard_<name>` of durations in seconds. An observation inside a recorded span becomes the
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

/** Adds exemplars, while callers still observe `(labels, value)` or `(value)`. */
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
 * Interval at which the event loop delay is measured. The reported delay includes the interval, so 0.1 s means no
 * delay. Each measurement wakes the process: at the library's default of 10 ms an idle process used 3–4 % of a core.
 */
const LOOP_DELAY_EVERY_MS = 100;

export function collectProcessMetrics(): void {
  collectDefaultMetrics({ register: metricsRegistry, eventLoopMonitoringPrecision: LOOP_DELAY_EVERY_MS });
}
