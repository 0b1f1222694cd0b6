import { useEffect, useState } from 'react';
import { Note, Skeleton } from '../components/display';

const AGAIN_MS = 2_000;
const SLOW_MS = 3_000;
/** A page that was loaded anew is not loaded anew again at once. */
const RELOADED_AT = 'switchboard.reloaded-at';
const RELOAD_PAUSE_MS = 60_000;

/** How many pages somebody waits for: none while a link is only pointed at. */
let awaited = 0;
const whenAwaited = new Set<() => void>();

/**
 * Loads a page's file. A server that is away is asked again until it answers; one that answers without the file has had
 * a new release meanwhile, whose files have other names. Then the dashboard is loaded anew, but only for somebody who
 * goes to the page: a link that is pointed at may stand beside a form half filled in.
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

/** Somebody waits for a page. @returns ends the wait */
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

/** Where a page stands that is on its way. */
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
          <p>The page opens by itself as soon as the server answers.</p>
        </Note>
      ) : (
        <Skeleton />
      )}
    </div>
  );
}
