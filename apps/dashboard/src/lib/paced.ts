/** Minimum pause after a run, as a multiple of its duration. */
const REST_FACTOR = 5;

/**
 * Throttles a function: runs it immediately on the first call, and at doubling intervals while calls continue. A slow
 * function runs less often.
 * @param options.firstMs interval after the first run
 * @param options.lastMs maximum interval
 */
export function paced(
  run: () => Promise<unknown>,
  { firstMs, lastMs }: { firstMs: number; lastMs: number },
): { call(): void; stop(): void } {
  let gapMs = firstMs;
  let isWanted = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isResting = false;
  let isStopped = false;

  const start = async (): Promise<void> => {
    isWanted = false;
    isResting = true;
    const begunAt = performance.now();
    await run().catch(() => undefined);
    const restMs = Math.max(gapMs, REST_FACTOR * (performance.now() - begunAt));
    if (isStopped) return;
    timer = setTimeout(() => {
      isResting = false;
      if (!isWanted) {
        gapMs = firstMs;
        return;
      }
      gapMs = Math.min(gapMs * 2, lastMs);
      void start();
    }, restMs);
  };
  return {
    call: () => {
      isWanted = true;
      if (!isResting && !isStopped) void start();
    },
    stop: () => {
      isStopped = true;
      clearTimeout(timer);
    },
  };
}
