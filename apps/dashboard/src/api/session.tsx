import { useQueryClient } from '@tanstack/react-query';
import { createContext, type ReactNode, useCallback, useContext, useEffect, useRef, useState } from 'react';
import { SignInDialog, SignInPage } from '../pages/sign-in';
import { ApiError, api, type Me, must, type Role, useCsrfToken, whenSignedOut } from './client';

const Session = createContext<{ me: Me; setMe: (me: Me) => void } | undefined>(undefined);
const RANKS: Role[] = ['viewer', 'admin', 'owner'];
/** Finds out about a session that has ended while nobody used the page. */
const LOOK_EVERY_MS = 60_000;
/** Remembers that somebody signed in here: without it there is no session to ask for. */
const SIGNED_IN = 'switchboard.signed-in';

/** Who is signed in. */
export function useMe() {
  const session = useContext(Session);
  if (!session) throw new Error('nobody is signed in');
  return session;
}

/** @returns why the user may not do what needs the role; undefined when they may */
export function useRefusal(needed: Role): string | undefined {
  const { me } = useMe();
  const isAllowed = RANKS.indexOf(me.user.role) >= RANKS.indexOf(needed);
  return isAllowed ? undefined : `This needs the role ${needed}. You are ${me.user.role}.`;
}

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
      useCsrfToken(found.csrfToken);
      current.current = found;
      localStorage.setItem(SIGNED_IN, '1');
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
    if (!localStorage.getItem(SIGNED_IN)) return setState('out');
    must(api.GET('/console/v1/me')).then(adopt, (error: ApiError) => {
      if (error.code !== 'UNAUTHORIZED') return setFailure(error);
      localStorage.removeItem(SIGNED_IN);
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
