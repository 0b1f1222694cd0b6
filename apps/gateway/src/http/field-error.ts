import { AppError, type ErrorCode } from '@switchboard/contracts';

/** Creates an error about one field or parameter. */
export function fieldError(code: ErrorCode, field: string, message: string): AppError {
  return new AppError(code, { message, details: [{ field, message }] });
}
