import { AppError } from '@switchboard/contracts';
import { isDatabaseUnavailable } from '@switchboard/database';
import { GivenUpError, withTimeout } from '@switchboard/platform';

/** Leaves time for the response within the two seconds in which a caller gets its 503. */
export const DATABASE_DEADLINE_MS = 1_500;

/**
 * Waits for the database up to the deadline.
 * @throws AppError UNAVAILABLE when the database is down, silent or still busy with earlier work; the work may complete
 * nevertheless
 */
export async function withinDatabaseDeadline<T>(work: Promise<T>): Promise<T> {
  try {
    return await withTimeout(work, DATABASE_DEADLINE_MS, () => new GivenUpError('the database did not answer in time'));
  } catch (error) {
    const isAway = isDatabaseUnavailable(error) || error instanceof GivenUpError;
    throw isAway ? new AppError('UNAVAILABLE', { cause: error }) : error;
  }
}
