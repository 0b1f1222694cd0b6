import { createContext, type ReactNode, useCallback, useContext, useEffect, useState } from 'react';

const Told = createContext<((reason: string) => () => void) | undefined>(undefined);

/** Buttons, followed by the reasons why some of them are disabled. Each reason is shown once. */
export function WithReasons({ className, children }: { className: string; children: ReactNode }) {
  const [reasons, setReasons] = useState<readonly string[]>([]);
  const tell = useCallback((reason: string) => {
    setReasons((all) => [...all, reason]);
    return () => setReasons((all) => all.toSpliced(all.indexOf(reason), 1));
  }, []);
  return (
    <div className={className}>
      <Told value={tell}>{children}</Told>
      {[...new Set(reasons)].map((reason) => (
        <p key={reason} className="reason">
          {reason}
        </p>
      ))}
    </div>
  );
}

/**
 * Shows the reason in the enclosing `WithReasons`. @returns whether there is one, so that the control need not show it
 */
export function useTellReason(reason: string | undefined): boolean {
  const tell = useContext(Told);
  useEffect(() => (reason === undefined ? undefined : tell?.(reason)), [reason, tell]);
  return tell !== undefined;
}
