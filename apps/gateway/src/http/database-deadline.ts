import { AppError } from '@switchboard/contracts';
import { isDatabaseUnavailable } from '@switchboard/database';
import { GivenUpError } from '@switchboard/platform';

/** Together with the answer itself this stays below the two seconds in which a caller gets its 503. */
export const DATABASE_DEADLINE_MS = 1_500;

/**
 * Waits for the database, but not for one that hangs.
 * @throws AppError UNAVAILABLE when the database is away or silent, or still busy with what came before; the work may
 * have been done all the same
 */
export async function withinDatabaseDeadline<T>(work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const deadline = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new AppError('UNAVAILABLE', { cause: new Error('the database did not answer in time') })),
      DATABASE_DEADLINE_MS,
    );
  });
  try {
    return await Promise.race([work, deadline]);
  } catch (error) {
    throw isDatabaseUnavailable(error) || error instanceof GivenUpError
      ? new AppError('UNAVAILABLE', { cause: error })
      : error;
  } finally {
    clearTimeout(timer);
  }
}
