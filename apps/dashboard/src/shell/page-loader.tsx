import { useEffect, useState } from 'react';
import { Note, Skeleton } from '../components/display';

const AGAIN_MS = 2_000;
const SLOW_MS = 3_000;
/** Storage key for the last reload, to prevent a reload loop. */
const RELOADED_AT = 'switchboard.reloaded-at';
const RELOAD_PAUSE_MS = 60_000;

/** Number of pages that the user waits for; prefetches on hover do not count. */
let awaited = 0;
const whenAwaited = new Set<() => void>();

/**
 * Loads the chunk of a page. Retries while the server is unreachable. If the server responds without the file, a new
 * release has replaced it, and the dashboard reloads. Only navigation triggers the reload: a prefetched link may be
 * next to a half-filled form.
 */
export async function loadPatiently<Module>(load: () => Promise<Module>): Promise<Module> {
  for (;;)
    try {
      return await load();
    } catch {
      if (awaited === 0) await new Promise<void>((go) => whenAwaited.add(go));
      else {
        if (await isAnswering()) reloadOnce();
        await new Promise((go) => setTimeout(go, AGAIN_MS));
      }
    }
}

/** Registers that the user waits for a page. @returns a function that ends the wait */
function awaitPage(): () => void {
  awaited += 1;
  for (const go of whenAwaited) go();
  whenAwaited.clear();
  return () => {
    awaited -= 1;
  };
}

function isAnswering(): Promise<boolean> {
  return fetch('/dashboard', { cache: 'no-store' }).then(
    ({ ok }) => ok,
    () => false,
  );
}

function reloadOnce(): void {
  const before = Number(sessionStorage.getItem(RELOADED_AT) ?? 0);
  if (Date.now() - before < RELOAD_PAUSE_MS) return;
  sessionStorage.setItem(RELOADED_AT, String(Date.now()));
  location.reload();
}

/** Placeholder of a page that is loading. */
export function PageOnItsWay() {
  const [isSlow, setSlow] = useState(false);
  useEffect(awaitPage, []);
  useEffect(() => {
    const timer = setTimeout(() => setSlow(true), SLOW_MS);
    return () => clearTimeout(timer);
  }, []);
  return (
    <div className="page narrow">
      {isSlow ? (
        <Note tone="bad">
          The page is still loading. Check your connection if this takes long.
          <p>The page opens automatically when the server responds.</p>
        </Note>
      ) : (
        <Skeleton />
      )}
    </div>
  );
}
