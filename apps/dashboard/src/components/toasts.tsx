import { CircleAlert, CircleCheck, X } from 'lucide-react';
import { createContext, type ReactNode, useCallback, useContext, useMemo, useState } from 'react';

interface Toast {
  kind: 'success' | 'bad';
  text: string;
  more?: string;
}

const Toasts = createContext<{ tell(toast: Toast): void }>({ tell: () => undefined });
const SHOWN_MS = 6_000;

/** Toasts about the user's last action. Errors stay until they are closed. */
export const useToasts = () => useContext(Toasts);

export function ToastHost({ children }: { children: ReactNode }) {
  const [shown, setShown] = useState<(Toast & { id: number })[]>([]);
  const close = useCallback((id: number) => setShown((all) => all.filter((toast) => toast.id !== id)), []);
  const tell = useCallback(
    (toast: Toast) => {
      const id = performance.now();
      setShown((all) => [...all.slice(-2), { ...toast, id }]);
      if (toast.kind === 'success') setTimeout(() => close(id), SHOWN_MS);
    },
    [close],
  );
  return (
    <Toasts value={useMemo(() => ({ tell }), [tell])}>
      {children}
      <div className="toasts" role="status" aria-live="polite">
        {shown.map(({ id, kind, text, more }) => (
          <div key={id} className={`toast ${kind}`}>
            {kind === 'bad' ? <CircleAlert className="i" aria-hidden /> : <CircleCheck className="i" aria-hidden />}
            <div>
              {text}
              {more && <p className="mono">{more}</p>}
            </div>
            <button type="button" className="btn icon ghost sm" aria-label="Close" onClick={() => close(id)}>
              <X className="i" aria-hidden />
            </button>
          </div>
        ))}
      </div>
    </Toasts>
  );
}
