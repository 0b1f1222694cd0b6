import { AppError, ERRORS } from '@switchboard/contracts';

const BEGINNING = `${ERRORS.TEMPLATE_PARAMS_MISMATCH.message}: `;

/**
 * Returns the error for a send that does not match its template.
 * @param reason expected and given value
 */
export function mismatch(reason: string): AppError {
  const message = BEGINNING + reason;
  return new AppError('TEMPLATE_PARAMS_MISMATCH', { message, details: [{ field: 'template.components', message }] });
}

/** Prefixes the reason of a mismatch with its position. Returns any other error unchanged. */
export function mismatchAt(place: string, error: unknown): unknown {
  return error instanceof AppError && error.code === 'TEMPLATE_PARAMS_MISMATCH' && error.message.startsWith(BEGINNING)
    ? mismatch(`${place}: ${error.message.slice(BEGINNING.length)}`)
    : error;
}
