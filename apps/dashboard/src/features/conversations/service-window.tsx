import { Lock } from 'lucide-react';
import { useEffect, useState } from 'react';
import { fullTime } from '../../lib/formats';

const TICK_MS = 5_000;
const WINDOW_MS = 24 * 3_600_000;
const CIRCUMFERENCE = 2 * Math.PI * 6;

interface Windowed {
  windowOpen: boolean;
  windowExpiresAt: string | null;
}

/** Returns whether free text can be sent now: the server reported an open window, and it has not expired since. */
export function useIsOpen({ windowOpen, windowExpiresAt }: Windowed): boolean {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), TICK_MS);
    return () => clearInterval(timer);
  }, []);
  return windowOpen && windowExpiresAt !== null && Date.parse(windowExpiresAt) > Math.max(now, Date.now());
}

export function WindowClock({ contact }: { contact: Windowed }) {
  const isOpen = useIsOpen(contact);
  const { windowExpiresAt } = contact;
  if (!isOpen || windowExpiresAt === null)
    return (
      <span
        className="window dim"
        title={
          windowExpiresAt ? `24-hour window ended ${fullTime(windowExpiresAt)}` : 'The contact has not written yet'
        }
      >
        <Lock className="i i-14" aria-hidden />
        Templates only
      </span>
    );
  const left = Date.parse(windowExpiresAt) - Date.now();
  const share = Math.min(1, left / WINDOW_MS) * CIRCUMFERENCE;
  return (
    <span className="window" title={`Closes ${fullTime(windowExpiresAt)}`}>
      <svg className="ring" viewBox="0 0 16 16" aria-hidden>
        <circle className="bg" cx="8" cy="8" r="6" />
        <circle
          className="fg"
          cx="8"
          cy="8"
          r="6"
          strokeDasharray={`${share.toFixed(1)} ${CIRCUMFERENCE.toFixed(1)}`}
        />
      </svg>
      <span>
        <span className="hide-sm">Window closes in </span>
        <span className="strong tn">{durationOf(left)}</span>
      </span>
    </span>
  );
}

/** Time before the end of a window at which the list warns. */
const CLOSING_MS = 3_600_000;

/** Returns `Closes in 12 min` for an open window that closes within the hour. */
export function closingText({ windowExpiresAt }: Windowed): string | undefined {
  const left = windowExpiresAt === null ? 0 : Date.parse(windowExpiresAt) - Date.now();
  return left > 0 && left < CLOSING_MS ? `Closes in ${durationOf(left)}` : undefined;
}

function durationOf(ms: number): string {
  const minutes = Math.max(1, Math.floor(ms / 60_000));
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
