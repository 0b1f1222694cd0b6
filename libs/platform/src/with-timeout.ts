/**
 * Waits for work, but no longer than the given time. The work itself goes on: its caller must not need its outcome.
 * @param ms the time, in milliseconds
 * @param lateError makes the error of work that is late
 * @throws what the work throws, or the error of `lateError`
 */
export async function withTimeout<T>(work: Promise<T>, ms: number, lateError: () => Error): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    // A process that was busy itself may have the answer waiting: it is read before the immediate runs.
    timer = setTimeout(() => setImmediate(() => reject(lateError())), ms);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
