/** Inactivity after which reads count as polling and no longer extend the session. */
const UNTOUCHED_MS = 30_000;
/** Inactivity after which the page stops polling until the user returns. */
const ASLEEP_MS = 15 * 60_000;

let touchedAt = Date.now();
let onWoken = (): void => undefined;

const sinceTouch = (): number => Date.now() - touchedAt;

/** Returns whether the user has been inactive for {@link UNTOUCHED_MS}. */
export const isUntouched = (): boolean => sinceTouch() > UNTOUCHED_MS;

/** Returns whether the user has been inactive for {@link ASLEEP_MS}. */
export const isAsleep = (): boolean => sinceTouch() > ASLEEP_MS;

/** @param handler called when the user returns to a page that had stopped polling */
export function whenWoken(handler: () => void): void {
  onWoken = handler;
}

for (const event of ['pointerdown', 'keydown', 'wheel', 'touchstart'])
  addEventListener(
    event,
    () => {
      const wasAsleep = isAsleep();
      touchedAt = Date.now();
      if (wasAsleep) onWoken();
    },
    { passive: true, capture: true },
  );
