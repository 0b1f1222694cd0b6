import { AsyncLocalStorage } from 'node:async_hooks';
import { types } from 'node:util';
import { isDatabaseUnreached } from './database-errors';

/**
 * The answer to a COMMIT, or to a change that is a transaction of its own, was lost: the change stands, or it does not.
 */
export class OutcomeUnknownError extends Error {
  override readonly name = 'OutcomeUnknownError';
}

/** Whether nobody can say if the change was made that failed with this error. */
export function isOutcomeUnknown(error: unknown): boolean {
  return error instanceof OutcomeUnknownError;
}

/** What one piece of work has changed in the database. */
export interface Changes {
  /** Runs the work; the database's changes made by it, and not by others for it, count. */
  during<T>(work: () => Promise<T>): Promise<T>;
  /** Whether anything was committed. */
  any(): boolean;
}

const tracked = new AsyncLocalStorage<{ isChanged: boolean }>();

/**
 * Takes note of whether a piece of work commits anything: after that, its failure is no longer one that did nothing.
 */
export function trackChanges(): Changes {
  const state = { isChanged: false };
  return { during: (work) => tracked.run(state, work), any: () => state.isChanged };
}

/** Takes note that the work at hand has changed something outside of the database, or is about to. */
export function markChanged(): void {
  const state = tracked.getStore();
  if (state) state.isChanged = true;
}

/**
 * Runs what only prepares a change, and is taken back by itself where the change is not made: it does not count as one.
 */
export function asPreparation<T>(work: () => Promise<T>): Promise<T> {
  return tracked.exit(work);
}

/**
 * Waits for the answer to a change that stands once it is answered.
 * @throws OutcomeUnknownError when the answer was lost; what the server refused the change with
 */
export async function committed<T>(answer: Promise<T>): Promise<T> {
  try {
    const result = await answer;
    markChanged();
    return result;
  } catch (error) {
    if (isRefused(error) || isDatabaseUnreached(error)) throw error;
    throw new OutcomeUnknownError('the answer to a change was lost', { cause: error });
  }
}

/** Waits for the answer to a statement outside of a transaction, as `committed` does if it changes something. */
export function answered<T>(sql: string, answer: Promise<T>): Promise<T> {
  return CHANGE.test(sql) ? committed(answer) : answer;
}

/** Locking rows for an update changes nothing. */
const CHANGE = /\b(INSERT INTO|(?<!FOR (NO KEY )?)UPDATE|DELETE FROM|TRUNCATE)\b/;
/** A session that ends says so with an error, whatever became of its statement. */
const SESSION_ENDED = /^(08|57P|40003)/;

/** Whether the server answered that it did not do it. */
function isRefused(error: unknown): boolean {
  if (!types.isNativeError(error) || !('severity' in error)) return false;
  return !('code' in error && typeof error.code === 'string' && SESSION_ENDED.test(error.code));
}
