import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useCallback, useEffect, useRef, useState } from 'react';
import { ApiError, api, keepCsrfToken, type Me, must, setGate } from '../api/client';
import { Session, signedIn } from '../api/session';
import { Button } from '../components/controls';
import { Failure } from '../components/display';
import { SignInDialog, SignInPage } from '../features/auth/sign-in';
import { useSignOut } from '../hooks/use-sign-out';
import { showTimesIn } from '../lib/formats';
import { refreshTimes } from '../lib/use-minutes';
import { readDraftsOf } from '../features/conversations/reply-drafts';

/** Interval for detecting a session that ended or changed while the page was idle. */
const LOOK_EVERY_MS = 60_000;
const AFTER_FAILURE_MS = 3_000;

/** Shows the pages to a signed-in user, otherwise the sign-in. */
export function SessionGate({ children }: { children: ReactNode }) {
  const [me, setMe] = useState<Me>();
  const [state, setState] = useState<'loading' | 'out' | 'in' | 'expired'>('loading');
  const [failure, setFailure] = useState<ApiError>();
  const waiting = useRef<(() => void)[]>([]);
  const current = useRef<Me>(undefined);
  const queries = useQueryClient();
  const adopt = useCallback(
    (found: Me) => {
      const before = current.current;
      // Another user signed in: discard everything on the page.
      if (before && before.user.id !== found.user.id) return location.reload();
      if (!before) landOnWork(found);
      keepCsrfToken(found.csrfToken);
      current.current = found;
      showTimesIn(found.account.timeZone);
      readDraftsOf(`${found.account.id} ${found.user.id}`);
      setMe(found);
      setFailure(undefined);
      setState('in');
      if (before?.session.id !== found.session.id) signedIn.remember(found.session.id);
      for (const go of waiting.current.splice(0)) go();
      if (!before || !isChanged(before, found)) return;
      refreshTimes();
      void queries.invalidateQueries();
    },
    [queries],
  );
  const updateMe = useCallback(
    (change: (me: Me) => Me): void => void (current.current && adopt(change(current.current))),
    [adopt],
  );
  const look = useCallback(async () => {
    const found = await must(api.GET('/console/v1/me'));
    adopt(found);
    // Never settle: a request of the previous user must not be sent as another user.
    if (current.current?.user.id !== found.user.id) await new Promise(() => undefined);
  }, [adopt]);
  useEffect(() => {
    setGate({
      signInAgain: () => {
        if (!current.current) return Promise.reject(new ApiError('UNAUTHORIZED', 'You are not signed in.'));
        setState('expired');
        return new Promise((go) => waiting.current.push(go));
      },
      lookAgain: look,
    });
    // Skip while the sign-in dialog is open, which finds out itself.
    const lookQuietly = (): void =>
      void (current.current && waiting.current.length === 0 && look().catch(() => undefined));
    const timer = setInterval(lookQuietly, LOOK_EVERY_MS);
    const forgetOthers = signedIn.whenChangedElsewhere(lookQuietly);
    return () => {
      clearInterval(timer);
      forgetOthers();
    };
  }, [look]);
  useEffect(() => {
    if (state !== 'loading') return undefined;
    if (!signedIn.isRemembered()) return setState('out');
    let timer: ReturnType<typeof setTimeout> | undefined;
    const begin = (): void =>
      void look().catch((error: ApiError) => {
        if (error.code === 'UNAUTHORIZED') {
          signedIn.forget();
          return setState('out');
        }
        setFailure(error);
        timer = setTimeout(begin, Math.max(AFTER_FAILURE_MS, (error.more.retryAfterSeconds ?? 0) * 1_000));
      });
    begin();
    return () => clearTimeout(timer);
  }, [state, look]);

  if (state === 'loading') return <Beginning failure={failure} />;
  if (!me || state === 'out') return <SignInPage onSignedIn={adopt} />;
  return (
    <Session value={{ me, updateMe }}>
      {children}
      {state === 'expired' && <SignInDialog email={me.user.email} onSignedIn={adopt} />}
    </Session>
  );
}

/** Opens the conversations instead of the overview for an agent who arrives. A reload stays where it is. */
function landOnWork({ user }: Me): void {
  const [arrival] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
  if (user.role !== 'agent' || arrival?.type === 'reload' || !/^\/dashboard\/?$/.test(location.pathname)) return;
  history.replaceState(history.state, '', '/dashboard/conversations');
}

/** Returns whether a changed role, name or session affects the pages. */
function isChanged(before: Me, now: Me): boolean {
  return (
    JSON.stringify([before.user, before.account, before.csrfToken]) !==
    JSON.stringify([now.user, now.account, now.csrfToken])
  );
}

/** Startup screen until the user is known. Errors are retried automatically; a suspended user can sign out. */
function Beginning({ failure }: { failure: ApiError | undefined }) {
  const signOut = useSignOut();
  if (!failure) return <main className="loading" aria-busy="true" />;
  return (
    <main className="loading">
      <div className="stack">
        <h1>{failure.code === 'ACCOUNT_SUSPENDED' ? 'Your account is suspended' : 'The dashboard cannot be loaded'}</h1>
        <Failure error={failure} onRetry={() => location.reload()} />
        <p className="hint">Retrying automatically.</p>
        <div>
          <Button onClick={signOut}>Sign out</Button>
        </div>
      </div>
    </main>
  );
}
