/**
 * Thrown if another process stored some of the same messages before their contacts were locked. Those messages may have
 * changed a contact's number, so the contacts found earlier may be outdated. The caller must repeat the transaction.
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
