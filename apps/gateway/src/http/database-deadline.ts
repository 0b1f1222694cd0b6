import { AppError } from '@switchboard/contracts';
import { isDatabaseUnavailable } from '@switchboard/database';
import { GivenUpError, withTimeout } from '@switchboard/platform';

/** Together with the answer itself this stays below the two seconds in which a caller gets its 503. */
export const DATABASE_DEADLINE_MS = 1_500;

/**
 * Waits for the database, but not for one that hangs.
 * @throws AppError UNAVAILABLE when the database is away or silent, or still busy with what came before; the work may
 * have been done all the same
 */
export async function withinDatabaseDeadline<T>(work: Promise<T>): Promise<T> {
  try {
    return await withTimeout(work, DATABASE_DEADLINE_MS, () => new GivenUpError('the database did not answer in time'));
  } catch (error) {
    const isAway = isDatabaseUnavailable(error) || error instanceof GivenUpError;
    throw isAway ? new AppError('UNAVAILABLE', { cause: error }) : error;
  }
}
