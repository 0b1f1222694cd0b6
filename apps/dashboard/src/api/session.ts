import { createContext, useContext } from 'react';
import type { Me, Role } from './client';

/** Who is signed in, for all that stands inside the gate. */
export const Session = createContext<{ me: Me; setMe: (me: Me) => void } | undefined>(undefined);

const SIGNED_IN = 'switchboard.signed-in';

/**
 * Remembers in this browser which session there is: without one there is nothing to ask for, and with another one the
 * other tabs ask who is signed in now.
 */
export const signedIn = {
  isRemembered: (): boolean => localStorage.getItem(SIGNED_IN) !== null,
  remember: (sessionId: string): void => localStorage.setItem(SIGNED_IN, sessionId),
  forget: (): void => localStorage.removeItem(SIGNED_IN),
  /** @returns stops listening */
  whenChangedElsewhere: (handler: () => void): (() => void) => {
    const listen = ({ key }: StorageEvent): void => (key === SIGNED_IN ? handler() : undefined);
    addEventListener('storage', listen);
    return () => removeEventListener('storage', listen);
  },
};

const RANKS: Role[] = ['viewer', 'admin', 'owner'];

/** @returns who is signed in, and how to tell that something about them has changed */
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
