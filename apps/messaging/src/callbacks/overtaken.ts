/**
 * Thrown when another process stored some of the same messages before their contacts were locked. The contacts found
 * earlier may be outdated, because those messages can change a contact's number. The transaction must be repeated.
 */
export class OvertakenError extends Error {
  constructor() {
    super('some messages were stored meanwhile');
  }
}

/** Repeats the work once after an `OvertakenError`. */
export function orAgain<T>(work: () => Promise<T>): Promise<T> {
  return work().catch((error: unknown) => {
    if (!(error instanceof OvertakenError)) throw error;
    return work();
  });
}
