import { AsyncLocalStorage } from 'node:async_hooks';

/**
 * What work is done for: a caller who waits for a change (`requests`), a caller who reads (`reads`), the broker's tasks
 * and events and the upstream platform's callbacks (`events`), the service's own loops (`background`). Each kind has
 * resources of its own, so that none can keep the others waiting.
 */
export const WORKLOADS = ['requests', 'reads', 'events', 'background'] as const;
export type Workload = (typeof WORKLOADS)[number];

interface Work {
  workload: Workload;
  /** How long one database statement of it may take, in milliseconds; the limit of its kind when absent. */
  statementMs?: number;
}

const current = new AsyncLocalStorage<Work>();
const UNNAMED: Work = { workload: 'requests' };

/** The work that is under way; a request when nobody said otherwise. */
export const currentWork = (): Work => current.getStore() ?? UNNAMED;

/** Runs work of one kind; everything that it waits for belongs to that kind. */
export function inWorkload<T>(workload: Workload, work: () => T): T {
  return current.run({ workload }, work);
}

/**
 * Runs work whose database statements may take longer than those of its kind: retention, erasure, large writes.
 * @param statementMs how long one statement may take, in milliseconds
 */
export function withLongStatements<T>(statementMs: number, work: () => T): T {
  return current.run({ ...currentWork(), statementMs }, work);
}
