import { createContext, useContext } from 'react';
import type { Me, Role } from './client';

interface SignedIn {
  me: Me;
  /** Passes the user as known now, because the session may have been renewed while a request was under way. */
  updateMe: (change: (me: Me) => Me) => void;
}

/** Signed-in user; available to all components inside the session gate. */
export const Session = createContext<SignedIn | undefined>(undefined);

const SIGNED_IN = 'switchboard.signed-in';

/**
 * Marker in this browser's storage that identifies the current session. Without it there is no session to query; when
 * it changes, other tabs reload the current user.
 */
export const signedIn = {
  isRemembered: (): boolean => localStorage.getItem(SIGNED_IN) !== null,
  remember: (sessionId: string): void => localStorage.setItem(SIGNED_IN, sessionId),
  forget: (): void => localStorage.removeItem(SIGNED_IN),
  /** Calls the handler when another tab changes the marker; returns the unsubscribe function. */
  whenChangedElsewhere: (handler: () => void): (() => void) => {
    const listen = ({ key }: StorageEvent): void => (key === SIGNED_IN ? handler() : undefined);
    addEventListener('storage', listen);
    return () => removeEventListener('storage', listen);
  },
};

const RANKS: Role[] = ['viewer', 'agent', 'admin', 'owner'];

/** Returns the signed-in user and a setter for updates. */
export function useMe() {
  const session = useContext(Session);
  if (!session) throw new Error('nobody is signed in');
  return session;
}

/** Returns whether a role includes another one. */
export const hasRole = (own: Role, needed: Role): boolean => RANKS.indexOf(own) >= RANKS.indexOf(needed);

/** Returns why the user lacks the role, or undefined when the user has it. */
export function useRefusal(needed: Role): string | undefined {
  const { me } = useMe();
  return hasRole(me.user.role, needed) ? undefined : `Requires the role ${needed}. Your role is ${me.user.role}.`;
}

/** Returns why the user may not download lists, or undefined. Agents can read lists, but not download them. */
export function useExportRefusal(): string | undefined {
  const { me } = useMe();
  return me.user.role === 'agent' ? 'Not available for the role agent.' : undefined;
}
