/** Publishes that the broker has not confirmed yet, in the order in which they were made. */
export class Unconfirmed {
  private readonly startedAt = new Map<number, number>();
  private last = 0;

  /** Adds a publish. @returns its number, for {@link remove} */
  add(): number {
    this.last += 1;
    this.startedAt.set(this.last, performance.now());
    return this.last;
  }

  remove(number: number): void {
    this.startedAt.delete(number);
  }

  get size(): number {
    return this.startedAt.size;
  }

  /** Age of the oldest one in milliseconds; 0 when there is none. */
  oldestMs(): number {
    const { value } = this.startedAt.values().next();
    return value === undefined ? 0 : performance.now() - value;
  }
}

/** Whether a publish was not confirmed because its channel is gone: amqplib rejects all of them with this text. */
export function isChannelClosed(error: unknown): boolean {
  return error instanceof Error && error.message === 'channel closed';
}
