import { AppError } from '@switchboard/contracts';
import { isDatabaseUnavailable } from '@switchboard/database';
import { GivenUpError, withTimeout } from '@switchboard/platform';

/**
 * Maximum wait for the database in milliseconds. Leaves time for the response, since callers receive a 503 within two
 * seconds.
 */
export const DATABASE_DEADLINE_MS = 1_500;

/**
 * Waits for database work up to the deadline.
 * @throws AppError UNAVAILABLE if the database is down, unresponsive or busy; the work may complete nevertheless
 */
export async function withinDatabaseDeadline<T>(work: Promise<T>): Promise<T> {
  try {
    return await withTimeout(work, DATABASE_DEADLINE_MS, () => new GivenUpError('the database did not answer in time'));
  } catch (error) {
    const isAway = isDatabaseUnavailable(error) || error instanceof GivenUpError;
    throw isAway ? new AppError('UNAVAILABLE', { cause: error }) : error;
  }
}
