import { AppError, ERRORS } from '@switchboard/contracts';

const LATE = `${ERRORS.UNAVAILABLE.message}: the file could not be read in time; nothing was made of it`;

/** A signal that is aborted with UNAVAILABLE at a time, unless it is stopped before. */
export class Deadline {
  private readonly controller = new AbortController();
  private readonly timer?: NodeJS.Timeout;

  /** @param at of `performance.now()` */
  constructor(at: number | undefined) {
    if (at !== undefined)
      this.timer = setTimeout(
        () => this.controller.abort(new AppError('UNAVAILABLE', { message: LATE })),
        at - performance.now(),
      );
  }

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  stop(): void {
    clearTimeout(this.timer);
  }
}
