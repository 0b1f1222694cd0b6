import { AsyncLocalStorage } from 'node:async_hooks';

/**
 * Kinds of work. `requests`: commands that change something; `reads`: commands that only read; `events`: the broker's
 * tasks and events, and the upstream platform's callbacks; `background`: the service's own loops. Each kind has
 * separate resources, so that none can starve the others.
 */
export const WORKLOADS = ['requests', 'reads', 'events', 'background'] as const;
export type Workload = (typeof WORKLOADS)[number];

interface Work {
  workload: Workload;
  /** Limit for one database statement, in milliseconds; that of its kind when absent. */
  statementMs?: number;
  /** True for work that recurs even if nothing happens, and therefore does not keep the service awake. */
  isRoutine?: boolean;
}

const current = new AsyncLocalStorage<Work>();
const UNNAMED: Work = { workload: 'requests' };

/** Returns the current work. Outside `inWorkload`, it is `requests`. */
export const currentWork = (): Work => current.getStore() ?? UNNAMED;

/** Runs work of one kind, including everything that it awaits. */
export function inWorkload<T>(workload: Workload, work: () => T): T {
  return current.run({ workload }, work);
}

/** Runs work that recurs even if nothing happens, such as a health check or a heartbeat (`Activity`). */
export function asRoutine<T>(work: () => T): T {
  return current.run({ ...currentWork(), isRoutine: true }, work);
}

/**
 * Runs work whose database statements may exceed the limit of its kind, such as retention, erasure or large writes.
 * @param statementMs limit for one statement, in milliseconds
 */
export function withLongStatements<T>(statementMs: number, work: () => T): T {
  return current.run({ ...currentWork(), statementMs }, work);
}
