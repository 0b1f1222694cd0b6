import { createContext, useContext } from 'react';
import type { Me, Role } from './client';

/** Who is signed in, for all that stands inside the gate. */
export const Session = createContext<{ me: Me; setMe: (me: Me) => void } | undefined>(undefined);

const SIGNED_IN = 'switchboard.signed-in';

/** Remembers in this browser whether somebody is signed in: without it there is no session to ask for. */
export const signedIn = {
  isRemembered: (): boolean => localStorage.getItem(SIGNED_IN) !== null,
  remember: (): void => localStorage.setItem(SIGNED_IN, '1'),
  forget: (): void => localStorage.removeItem(SIGNED_IN),
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
