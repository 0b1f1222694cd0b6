/**
 * Time without work after which a service is idle. Longer than any request or attempt, so that the other processes
 * still poll when the process that works on it is killed.
 */
const IDLE_AFTER_MS = 15_000;
/** Interval at which a working process notifies the other processes of its service. */
const TELL_EVERY_MS = 5_000;

/**
 * Knows whether the service has had work recently, in this or another process. The loops of an idle service rest for
 * longer, because only work or the passing of time can give them something to do.
 */
export class Activity {
  private workedAt = performance.now();
  private toldAt = -Infinity;
  private hearsOthers = false;
  private readonly onWorking = new Set<() => void>();
  private tellOthers?: () => void;

  /** False while this process cannot hear of the work of other processes. */
  get isIdle(): boolean {
    return this.hearsOthers && performance.now() - this.workedAt >= IDLE_AFTER_MS;
  }

  /** Records work of this process. Call it before and after the work, which may outlast the interval. */
  note(): void {
    this.heard();
    if (this.workedAt - this.toldAt < TELL_EVERY_MS) return;
    this.toldAt = this.workedAt;
    this.tellOthers?.();
  }

  /** Records work of another process. */
  heard(): void {
    const { isIdle } = this;
    this.workedAt = performance.now();
    if (isIdle) this.endIdleRests();
  }

  /** Starts to rely on the connection to the other processes. `tell` notifies them that this process has work. */
  connected(tell: () => void): void {
    this.tellOthers = tell;
    this.hearsOthers = true;
    // Each side may have worked while this process could not hear or tell.
    this.toldAt = -Infinity;
    this.note();
  }

  disconnected(): void {
    this.hearsOthers = false;
    this.tellOthers = undefined;
    this.endIdleRests();
  }

  /** Calls the listener when an idle service gets work. @returns a function that removes the listener */
  onWork(listener: () => void): () => void {
    this.onWorking.add(listener);
    return () => this.onWorking.delete(listener);
  }

  private endIdleRests(): void {
    for (const listener of this.onWorking) listener();
  }
}

/** Activity of this process's service. */
export const activity = new Activity();
