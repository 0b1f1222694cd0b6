import { AppError, ERRORS } from '@switchboard/contracts';

const BEGINNING = `${ERRORS.TEMPLATE_PARAMS_MISMATCH.message}: `;

/** A send does not fit its template; the reason names what is expected and what was given. */
export function mismatch(reason: string): AppError {
  const message = BEGINNING + reason;
  return new AppError('TEMPLATE_PARAMS_MISMATCH', { message, details: [{ field: 'template.components', message }] });
}

/** The same mismatch with the place where it is; anything else as it is. */
export function mismatchAt(place: string, error: unknown): unknown {
  return error instanceof AppError && error.code === 'TEMPLATE_PARAMS_MISMATCH' && error.message.startsWith(BEGINNING)
    ? mismatch(`${place}: ${error.message.slice(BEGINNING.length)}`)
    : error;
}
