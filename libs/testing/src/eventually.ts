const POLL_MS = 25;

/**
 * Retries the assertion until it passes. The default timeout only ends a wait that would never succeed, even on a busy
 * machine. Tests assert time limits with their own `timeoutMs` or a measured time.
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
