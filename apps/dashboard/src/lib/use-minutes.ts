import { useSyncExternalStore } from 'react';

const MINUTE_MS = 60_000;
const readers = new Set<() => void>();
let minutes = 0;
let timer: ReturnType<typeof setInterval> | undefined;

/** One timer for all times on the page. */
function everyMinute(reader: () => void): () => void {
  readers.add(reader);
  timer ??= setInterval(refreshTimes, MINUTE_MS);
  return () => {
    readers.delete(reader);
    if (readers.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

/** Re-renders all times, for example in another time zone. */
export function refreshTimes(): void {
  minutes += 1;
  for (const tell of readers) tell();
}

/** Re-renders a component every minute, so that relative times stay current. */
export const useMinutes = (): number => useSyncExternalStore(everyMinute, () => minutes);
