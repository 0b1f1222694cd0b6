import { AppError } from '@switchboard/contracts';

const missing = (field: string) => ({ field, message: `${field} is required` });

export function missingFile(field: string): AppError {
  return new AppError('MISSING_FIELD', { message: missing(field).message, details: [missing(field)] });
}

/**
 * Reads the fields of a form. If this fails, the error also reports a missing file.
 * @param file file of the form, if any
 */
export function withFile<T>(file: object | undefined, field: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (file || !(error instanceof AppError) || !error.details) throw error;
    const { code, message, details } = error;
    throw new AppError(code, { message, details: [...details, missing(field)], cause: error });
  }
}
