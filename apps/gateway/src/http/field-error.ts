import { AppError, type ErrorCode } from '@switchboard/contracts';

export function fieldError(code: ErrorCode, field: string, message: string): AppError {
  return new AppError(code, { message, details: [{ field, message }] });
}
