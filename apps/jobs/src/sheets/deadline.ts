import { AppError } from '@switchboard/contracts';

/** A signal that is aborted with UNAVAILABLE at a time, unless it is stopped before. */
export class Deadline {
  private readonly controller = new AbortController();
  private readonly timer?: NodeJS.Timeout;

  constructor(at: Date | undefined) {
    if (at) this.timer = setTimeout(() => this.controller.abort(new AppError('UNAVAILABLE')), at.getTime() - Date.now());
  }

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  stop(): void {
    clearTimeout(this.timer);
  }
}
