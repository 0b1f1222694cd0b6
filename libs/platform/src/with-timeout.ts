/**
 * Waits for work for at most the given time. Late work continues, so its caller must not depend on its outcome.
 * @param ms the time, in milliseconds
 * @param lateError creates the error for late work
 * @throws the error of the work, or that of `lateError`
 */
export async function withTimeout<T>(work: Promise<T>, ms: number, lateError: () => Error): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    // A busy process may have a pending result, which is processed before the immediate runs.
    timer = setTimeout(() => setImmediate(() => reject(lateError())), ms);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
