import { AppError, type ErrorCode } from '@switchboard/contracts';

/** Error of a command that completed only partially. The partial result is printed, and the exit code is 1. */
export class Unfinished extends AppError {
  constructor(
    code: ErrorCode,
    message: string,
    readonly result: object,
  ) {
    super(code, { message });
  }
}
