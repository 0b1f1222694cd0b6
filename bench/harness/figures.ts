import { readFileSync } from 'node:fs';

const CLOCK_TICKS_PER_SECOND = 100;

/** To two places. */
export const round = (value: number): number => Math.round(value * 100) / 100;

/** What one read costs with little and with much stored. */
export interface SizeFigure {
  [figure: string]: string | number;
  name: string;
  /** With much stored, one after another. */
  perSecond: number;
  ratioP99: number;
}

/** @param small what each read took with little stored, in milliseconds @param large the same with much */
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

/** The value below which such a share of the values lies; NaN of none. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? NaN;
}

/** The middle one and the slowest of a hundred, in milliseconds. */
export function p50AndP99(waitsMs: readonly number[]): { p50Ms: number; p99Ms: number } {
  const at = (share: number): number => Number(quantile(waitsMs, share).toFixed(1));
  return { p50Ms: at(0.5), p99Ms: at(0.99) };
}

/** The lap in the middle by one of its figures: what is shown of interleaved rounds. */
export function middleBy<Lap>(laps: readonly Lap[], figure: (lap: Lap) => number): Lap {
  const middle = [...laps].sort((one, other) => figure(one) - figure(other))[Math.floor(laps.length / 2)];
  if (!middle) throw new Error('nothing was measured');
  return middle;
}

/** The same by throughput. */
export function middleLap<Lap extends { perSecond: number }>(laps: readonly Lap[]): Lap {
  return middleBy(laps, ({ perSecond }) => perSecond);
}

/**
 * The throughput of ours to that of the floor, the middle one of the rounds: both laps of a round meet the same weather
 * on a shared machine.
 */
export function throughputRatio(
  ours: readonly { perSecond: number }[],
  floor: readonly { perSecond: number }[],
): number {
  const ratios = ours.map(({ perSecond }, index) => perSecond / (floor[index]?.perSecond ?? NaN));
  return round(middleBy(ratios, (ratio) => ratio));
}

/** User and system time of processes so far (proc(5): fields 14 and 15, counted after the name). */
export function cpuSecondsOf(...pids: readonly (number | undefined)[]): number {
  const ticks = pids.map((pid) => {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
    return Number(fields[11]) + Number(fields[12]);
  });
  return ticks.reduce((sum, each) => sum + each, 0) / CLOCK_TICKS_PER_SECOND;
}

/** The memory that a process has resident now, and the most that it has had so far (proc(5)), in MB. */
export function memoryOf(pid: number | undefined): { residentMb: number; peakMb: number } {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const megabytes = (field: string): number =>
    Math.round(Number(new RegExp(`${field}:\\s+(\\d+)`).exec(status)?.[1]) / 1_024);
  return { residentMb: megabytes('VmRSS'), peakMb: megabytes('VmHWM') };
}
