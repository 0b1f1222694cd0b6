import { useSyncExternalStore } from 'react';
import { type Attempted, AttemptKey } from '../../api/attempt-key';
import type { Message } from '../messages/shared/message-parts';

/** A reply that somebody has begun to write. */
interface Unsent {
  text: string;
  file: File | undefined;
  /** The message that it answers. */
  answers?: Message | undefined;
}

/** What outlives a reload: a file cannot be stored. */
interface Stored {
  /** The drafts are shown to this user alone. */
  userId: string;
  drafts: Record<string, Omit<Unsent, 'file'>>;
  /** By phone: a reply whose response was lost is sent again under its own key. */
  attempts: Record<string, Attempted>;
}

const STORE = 'switchboard.drafts';
const NOTHING: Unsent = { text: '', file: undefined };
/** By phone or user id. A draft outlives a visit to another conversation, a window that closes, and a reload. */
const kept = new Map<string, Unsent>();
const attempted = new Map<string, Attempted>();
const attempts = new Map<string, AttemptKey>();
const listeners = new Set<() => void>();
let writer = '';

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Reads the drafts of the user who has signed in; those of another user are removed. */
export function readDraftsOf(userId: string): void {
  if (writer === userId) return;
  const stored = storedDrafts();
  if (stored?.userId !== userId) forgetDrafts();
  writer = userId;
  if (stored?.userId !== userId) return;
  for (const [phone, draft] of Object.entries(stored.drafts)) kept.set(phone, { ...draft, file: undefined });
  for (const [phone, attempt] of Object.entries(stored.attempts)) attempted.set(phone, attempt);
  for (const listener of listeners) listener();
}

function forgetDrafts(): void {
  sessionStorage.removeItem(STORE);
  kept.clear();
  attempted.clear();
  attempts.clear();
  writer = '';
}

function storedDrafts(): Stored | undefined {
  try {
    return (JSON.parse(sessionStorage.getItem(STORE) ?? 'null') as Stored | null) ?? undefined;
  } catch {
    return undefined;
  }
}

function store(): void {
  const drafts = Object.fromEntries([...kept].map(([phone, { text, answers }]) => [phone, { text, answers }]));
  const stored: Stored = { userId: writer, drafts, attempts: Object.fromEntries(attempted) };
  try {
    sessionStorage.setItem(STORE, JSON.stringify(stored));
  } catch {
    // The storage is full: the drafts last as long as the page.
  }
}

export const unsentTo = (phone: string): Unsent => kept.get(phone) ?? NOTHING;

/** @returns the reply that waits for a phone, as it changes */
export const useUnsent = (phone: string): Unsent => useSyncExternalStore(subscribe, () => unsentTo(phone));

export const isEmpty = ({ text, file }: Unsent): boolean => text.trim() === '' && file === undefined;

/** Whether a reload would lose a file that waits to be sent. */
export const hasUnsentFile = (): boolean => [...kept.values()].some(({ file }) => file !== undefined);

/** Changes the reply that waits for a phone. */
export function keepUnsent(phone: string, changed: Partial<Unsent>): void {
  const unsent = { ...unsentTo(phone), ...changed };
  if (unsent.text === '' && unsent.file === undefined && !unsent.answers) kept.delete(phone);
  else kept.set(phone, unsent);
  store();
  for (const listener of listeners) listener();
}

/** @returns the key of the replies to a phone: a reply whose answer got lost stays the same one when it is kept */
export function attemptFor(phone: string): AttemptKey {
  const keep = (attempt: Attempted): void => {
    if (attempt.key === '') attempted.delete(phone);
    else attempted.set(phone, attempt);
    store();
  };
  const attempt = attempts.get(phone) ?? new AttemptKey(attempted.get(phone), keep);
  attempts.set(phone, attempt);
  return attempt;
}
