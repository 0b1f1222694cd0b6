import { useSyncExternalStore } from 'react';
import { AttemptKey } from '../api/attempt-key';
import type { Message } from './message-parts';

/** A reply that somebody has begun to write. */
interface Unsent {
  text: string;
  file: File | undefined;
  /** The message that it answers. */
  answers?: Message | undefined;
}

const NOTHING: Unsent = { text: '', file: undefined };
/** By phone, while the dashboard is open: a reply outlives a look at another conversation and a window that closes. */
const kept = new Map<string, Unsent>();
const attempts = new Map<string, AttemptKey>();
const listeners = new Set<() => void>();

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export const unsentTo = (phone: string): Unsent => kept.get(phone) ?? NOTHING;

/** @returns the reply that waits for a phone, as it changes */
export const useUnsent = (phone: string): Unsent => useSyncExternalStore(subscribe, () => unsentTo(phone));

export const isEmpty = ({ text, file }: Unsent): boolean => text === '' && file === undefined;

/** Changes the reply that waits for a phone. */
export function keepUnsent(phone: string, changed: Partial<Unsent>): void {
  const unsent = { ...unsentTo(phone), ...changed };
  if (isEmpty(unsent) && !unsent.answers) kept.delete(phone);
  else kept.set(phone, unsent);
  for (const listener of listeners) listener();
}

/** @returns the key of the replies to a phone: a reply whose answer got lost stays the same one when it is kept */
export function attemptFor(phone: string): AttemptKey {
  const attempt = attempts.get(phone) ?? new AttemptKey();
  attempts.set(phone, attempt);
  return attempt;
}
