const POLL_MS = 25;

/**
 * Waits until the assertion passes, trying it again and again.
 * @param options.timeoutMs after this the assertion's last error is thrown
 */
export async function eventually<T>(assertion: () => Promise<T> | T, { timeoutMs = 10_000 }: { timeoutMs?: number } = {}): Promise<T> {
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
