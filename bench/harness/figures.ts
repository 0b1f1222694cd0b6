import { readFileSync } from 'node:fs';

const CLOCK_TICKS_PER_SECOND = 100;

export const round = (value: number): number => Math.round(value * 100) / 100;

/** Latency of one read with little and with much stored data. */
export interface SizeFigure {
  [figure: string]: string | number;
  name: string;
  /** Sequential reads per second with much stored data. */
  perSecond: number;
  ratioP99: number;
}

/** @param small latencies with little stored data, in milliseconds @param large latencies with much stored data */
export function figureOf(name: string, small: readonly number[], large: readonly number[]): SizeFigure {
  const [smallP50, largeP50] = [quantile(small, 0.5), quantile(large, 0.5)];
  const [smallP99, largeP99] = [quantile(small, 0.99), quantile(large, 0.99)];
  return {
    name,
    perSecond: Math.round(1_000 / largeP50),
    p50SmallMs: round(smallP50),
    p50LargeMs: round(largeP50),
    ratioP50: round(largeP50 / smallP50),
    p99SmallMs: round(smallP99),
    p99LargeMs: round(largeP99),
    ratioP99: round(largeP99 / smallP99),
  };
}

/** Returns the quantile of the values, or NaN without values. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? NaN;
}

/** Returns the median and the 99th percentile, in milliseconds. */
export function p50AndP99(waitsMs: readonly number[]): { p50Ms: number; p99Ms: number } {
  const at = (share: number): number => Number(quantile(waitsMs, share).toFixed(1));
  return { p50Ms: at(0.5), p99Ms: at(0.99) };
}

/** Returns the median lap by one of its metrics, to represent interleaved rounds. */
export function middleBy<Lap>(laps: readonly Lap[], figure: (lap: Lap) => number): Lap {
  const middle = [...laps].sort((one, other) => figure(one) - figure(other))[Math.floor(laps.length / 2)];
  if (!middle) throw new Error('nothing was measured');
  return middle;
}

export function middleLap<Lap extends { perSecond: number }>(laps: readonly Lap[]): Lap {
  return middleBy(laps, ({ perSecond }) => perSecond);
}

/**
 * Returns the median over all rounds of the throughput relative to the baseline. Both laps of a round run under the
 * same load of a shared machine.
 */
export function throughputRatio(
  ours: readonly { perSecond: number }[],
  floor: readonly { perSecond: number }[],
): number {
  const ratios = ours.map(({ perSecond }, index) => perSecond / (floor[index]?.perSecond ?? NaN));
  return round(middleBy(ratios, (ratio) => ratio));
}

/**
 * Returns the user and system time that processes have used so far, in seconds (proc(5): fields 14 and 15, counted
 * after the name).
 */
export function cpuSecondsOf(...pids: readonly (number | undefined)[]): number {
  const ticks = pids.map((pid) => {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
    return Number(fields[11]) + Number(fields[12]);
  });
  return ticks.reduce((sum, each) => sum + each, 0) / CLOCK_TICKS_PER_SECOND;
}

/** Returns the current and the peak resident memory of a process in MB (proc(5)). */
export function memoryOf(pid: number | undefined): { residentMb: number; peakMb: number } {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const megabytes = (field: string): number =>
    Math.round(Number(new RegExp(`${field}:\\s+(\\d+)`).exec(status)?.[1]) / 1_024);
  return { residentMb: megabytes('VmRSS'), peakMb: megabytes('VmHWM') };
}
