import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';

/** All figures of this process, shown at `/metrics` of the management listener. */
export const metricsRegistry = new Registry();

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

/** A histogram `switchboard_<name>` of durations in seconds. */
export function histogram<Label extends string>(
  name: string,
  help: string,
  labelNames: readonly Label[] = [],
  buckets: number[] = DURATION_BUCKETS_SECONDS,
): Histogram<Label> {
  const found = metricsRegistry.getSingleMetric(`switchboard_${name}`) as Histogram<Label> | undefined;
  return (
    found ??
    new Histogram({
      name: `switchboard_${name}`,
      help,
      labelNames: [...labelNames],
      buckets,
      registers: [metricsRegistry],
    })
  );
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
