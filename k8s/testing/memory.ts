import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { declaredSettings } from '../../docker/testing/service-settings';
import { ROOT } from './paths';

export const MB = 1_000_000;
export const MIB = 1_048_576;
/** Highest resident memory of a service at 5 to 15 sends per second, in MB. */
export const MEASURED_MB = 261;
/** Memory reserved for code, buffers and stacks outside all heaps. */
const OUTSIDE_MIB = 128;
/** Number of semi-spaces in V8's young generation. */
const SEMI_SPACES = 3;

/** Converts `512Mi`, `512m` or `1g` to mebibytes. */
export function mebibytes(amount: unknown): number {
  const [, number, unit] = /^(\d+)(Mi|m|g)$/.exec(String(amount)) ?? [];
  if (unit === undefined) throw new Error(`unexpected amount of memory: ${String(amount)}`);
  return Number(number) * (unit === 'g' ? 1024 : 1);
}

/** Returns the problems of a service's memory limit, given the heap in NODE_OPTIONS. */
export async function memoryProblems({
  service,
  limitMib,
  options,
}: {
  service: string;
  limitMib: number;
  options: string | undefined;
}): Promise<string[]> {
  const heapMib = Number(/--max-old-space-size=(\d+)/.exec(options ?? '')?.[1]);
  if (!heapMib) return [`${service} has no --max-old-space-size`];
  const needed = heapMib + (await youngGenerationMib()) + (await sheetsMib(service)) + OUTSIDE_MIB;
  const peak = Math.max(MEASURED_MB, (await documentedPeaks())[service] ?? 0);
  return [
    ...(limitMib < needed ? [`${service} is limited to ${limitMib} MiB and may need ${needed}`] : []),
    ...(limitMib * MIB < peak * MB ? [`${service} is limited to ${limitMib} MiB and has used ${peak} MB`] : []),
  ];
}

async function youngGenerationMib(): Promise<number> {
  const dockerfile = await readFile(resolve(ROOT, 'docker/Dockerfile'), 'utf8');
  const semiSpace = Number(/--max-semi-space-size=(\d+)/.exec(dockerfile)?.[1]);
  if (!semiSpace) throw new Error('docker/Dockerfile sets no --max-semi-space-size');
  return SEMI_SPACES * semiSpace;
}

/**
 * Returns the memory for the spreadsheets that the jobs service reads concurrently, each in a thread with its own heap.
 */
async function sheetsMib(service: string): Promise<number> {
  if (service !== 'jobs') return 0;
  const { fields } = await declaredSettings('jobs', 'main');
  const byDefault = (name: string): number => Number(fields[name]?.parse(undefined));
  return byDefault('SHEETS_AT_A_TIME') * (byDefault('SHEET_HEAP_MB') + byDefault('SHEET_SHARED_TEXT_MB'));
}

/** Returns peaks under hours of hostile load by service, in MB. */
async function documentedPeaks(): Promise<Record<string, number>> {
  const text = await readFile(resolve(ROOT, 'docs/operations/capacity.md'), 'utf8');
  const [, gateway, jobs] = /the gateway used (\d+) MB and jobs (\d+) MB/.exec(text) ?? [];
  if (jobs === undefined) throw new Error('docs/operations/capacity.md names no peaks');
  return { gateway: Number(gateway), jobs: Number(jobs) };
}
