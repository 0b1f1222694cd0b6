import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useCallback, useEffect, useRef, useState } from 'react';
import { Session, signedIn } from '../api/session';
import { SignInDialog, SignInPage } from '../pages/sign-in';
import { ApiError, api, type Me, must, keepCsrfToken, whenSignedOut } from '../api/client';

/** Finds out about a session that has ended while nobody used the page. */
const LOOK_EVERY_MS = 60_000;

/** Shows the pages to whoever is signed in, and the sign-in to all others. */
export function SessionGate({ children }: { children: ReactNode }) {
  const [me, setMe] = useState<Me>();
  const [state, setState] = useState<'loading' | 'out' | 'in' | 'expired'>('loading');
  const [failure, setFailure] = useState<ApiError>();
  const waiting = useRef<(() => void)[]>([]);
  const current = useRef<Me>(undefined);
  const queries = useQueryClient();
  const adopt = useCallback(
    (found: Me) => {
      // Somebody else: nothing of what is on the page is theirs.
      if (current.current && current.current.user.id !== found.user.id) return location.reload();
      keepCsrfToken(found.csrfToken);
      current.current = found;
      signedIn.remember();
      setMe(found);
      setState('in');
      for (const go of waiting.current.splice(0)) go();
      void queries.invalidateQueries();
    },
    [queries],
  );
  useEffect(() => {
    whenSignedOut(() => {
      if (!current.current) return Promise.reject(new ApiError('UNAUTHORIZED', 'You are not signed in.'));
      setState('expired');
      return new Promise((go) => waiting.current.push(go));
    });
    if (!signedIn.isRemembered()) return setState('out');
    must(api.GET('/console/v1/me')).then(adopt, (error: ApiError) => {
      if (error.code !== 'UNAUTHORIZED') return setFailure(error);
      signedIn.forget();
      setState('out');
    });
  }, [adopt]);
  useEffect(() => {
    if (state !== 'in') return undefined;
    const timer = setInterval(() => void api.GET('/console/v1/me').catch(() => undefined), LOOK_EVERY_MS);
    return () => clearInterval(timer);
  }, [state]);

  if (failure)
    return (
      <div className="loading">
        <div className="stack">
          <p>{failure.message}</p>
          <button type="button" className="btn" onClick={() => location.reload()}>
            Try again
          </button>
        </div>
      </div>
    );
  if (state === 'loading') return <div className="loading" aria-busy="true" />;
  if (!me || state === 'out') return <SignInPage onSignedIn={adopt} />;
  return (
    <Session value={{ me, setMe: adopt }}>
      {children}
      {state === 'expired' && <SignInDialog email={me.user.email} onSignedIn={adopt} />}
    </Session>
  );
}
