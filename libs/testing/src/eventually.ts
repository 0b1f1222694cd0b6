const POLL_MS = 25;

/**
 * Waits until the assertion passes, trying it again and again. How long something may take is asserted where it
 * matters, with a
 * `timeoutMs` of its own or a measured time; the default only ends a wait that is in vain, on a busy machine too.
 * @param options.timeoutMs after this the assertion's last error is thrown
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
