const POLL_MS = 25;

/**
 * Retries the assertion until it passes. The default timeout only ends hopeless waits and suits a busy machine. A test
 * that limits a duration passes its own `timeoutMs` or measures the time.
 * @param options.timeoutMs time after which the assertion's last error is thrown
 */
export async function eventually<T>(
  assertion: () => Promise<T> | T,
  { timeoutMs = 30_000 }: { timeoutMs?: number } = {},
): Promise<T> {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    try {
      return await assertion();
    } catch (error) {
      if (performance.now() > deadline) throw error;
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
  }
}
