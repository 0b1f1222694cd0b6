/** How long nobody has used the page before it only polls: its reads leave the session's last use alone. */
const UNTOUCHED_MS = 30_000;
/** After so long it asks for nothing more by itself, until somebody uses it again. */
const ASLEEP_MS = 15 * 60_000;

let touchedAt = Date.now();
let onWoken = (): void => undefined;

const sinceTouch = (): number => Date.now() - touchedAt;

/** Whether nobody has used the page for a while. */
export const isUntouched = (): boolean => sinceTouch() > UNTOUCHED_MS;

/** Whether nobody has used the page for so long that it asks for nothing by itself. */
export const isAsleep = (): boolean => sinceTouch() > ASLEEP_MS;

/** @param handler is called when somebody uses a page again that was asleep */
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
