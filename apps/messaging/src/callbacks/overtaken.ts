/**
 * Another process stored some of the same messages between our look and the lock on their customers. The contacts found
 * before may be wrong by now, for a customer may have moved to another number with those messages; so everything begins
 * again.
 */
export class OvertakenError extends Error {
  constructor() {
    super('some messages were stored meanwhile');
  }
}

/** Does it once more when it was overtaken. */
export function orAgain<T>(work: () => Promise<T>): Promise<T> {
  return work().catch((error: unknown) => {
    if (!(error instanceof OvertakenError)) throw error;
    return work();
  });
}
