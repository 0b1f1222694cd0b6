import { AppError, type ErrorCode } from '@switchboard/contracts';

/** A command that did, or found out, some of what it was to: its result is shown, and its exit code is 1. */
export class Unfinished extends AppError {
  constructor(
    code: ErrorCode,
    message: string,
    readonly result: object,
  ) {
    super(code, { message });
  }
}
