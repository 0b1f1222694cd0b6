import { AsyncLocalStorage } from 'node:async_hooks';
import { types } from 'node:util';
import { isDatabaseUnreached } from './database-errors';

/**
 * The response to a COMMIT, or to a change outside a transaction, was lost. The change may or may not be committed.
 */
export class OutcomeUnknownError extends Error {
  override readonly name = 'OutcomeUnknownError';
}

/** Returns whether the change that failed with this error may have been committed. */
export function isOutcomeUnknown(error: unknown): boolean {
  return error instanceof OutcomeUnknownError;
}

export interface SideEffects {
  /** Runs the work and records whether it commits changes. */
  during<T>(work: () => Promise<T>): Promise<T>;
  any(): boolean;
}

const tracked = new AsyncLocalStorage<{ isChanged: boolean }>();

/** Tracks whether a piece of work commits anything. If so, a later failure no longer means that nothing was done. */
export function trackSideEffects(): SideEffects {
  const state = { isChanged: false };
  return { during: (work) => tracked.run(state, work), any: () => state.isChanged };
}

/** Records that the current work has caused a side effect outside the database, or is about to cause one. */
export function markSideEffect(): void {
  const state = tracked.getStore();
  if (state) state.isChanged = true;
}

/** Runs preparations that are reverted automatically if the change is not made. They do not count as changes. */
export function withoutSideEffectTracking<T>(work: () => Promise<T>): Promise<T> {
  return tracked.exit(work);
}

/**
 * Waits for the response to a statement that commits a change.
 * @throws OutcomeUnknownError when the response was lost; the server's error when it rejected the change
 */
export async function committed<T>(answer: Promise<T>): Promise<T> {
  try {
    const result = await answer;
    markSideEffect();
    return result;
  } catch (error) {
    if (isRefused(error) || isDatabaseUnreached(error)) throw error;
    throw new OutcomeUnknownError('the answer to a change was lost', { cause: error });
  }
}

/** Waits for the response to a statement outside a transaction, like `committed` if the statement changes something. */
export function answered<T>(sql: string, answer: Promise<T>): Promise<T> {
  return CHANGE.test(sql) ? committed(answer) : answer;
}

/** Detects statements that change rows. Locking rows for an update does not. */
const CHANGE = /\b(INSERT INTO|(?<!FOR (NO KEY )?)UPDATE|DELETE FROM|TRUNCATE)\b/;
/** SQLSTATE codes of an ending session, which leave the outcome of its statement unknown. */
const SESSION_ENDED = /^(08|57P|40003)/;

function isRefused(error: unknown): boolean {
  if (!types.isNativeError(error) || !('severity' in error)) return false;
  return !('code' in error && typeof error.code === 'string' && SESSION_ENDED.test(error.code));
}
