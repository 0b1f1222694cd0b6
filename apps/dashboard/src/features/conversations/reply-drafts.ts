import { useSyncExternalStore } from 'react';
import { type Attempted, AttemptKey } from '../../api/attempt-key';
import type { Message } from '../messages/shared/message-parts';
import type { Forms } from './new-message-forms';

interface Unsent {
  text: string;
  file: File | undefined;
  /** True to send the file as a voice message. */
  isVoice?: boolean;
  /** The message it replies to. */
  answers?: Message | undefined;
  /** Forms of other message types. */
  forms?: Partial<Forms> | undefined;
  /** Text of a note about the contact. */
  note?: string;
  /** True while the composer writes notes instead of replies. */
  isNote?: boolean;
}

/** Part of the drafts that survives a reload. Files cannot be stored. */
interface Stored {
  /** ID of the user who wrote the drafts; never shown to other users. */
  userId: string;
  drafts: Record<string, Omit<Unsent, 'file' | 'isVoice'>>;
  /** Attempt keys by phone number. A reply whose response was lost is retried with the same key. */
  attempts: Record<string, Attempted>;
}

const STORE = 'switchboard.drafts';
const NOTHING: Unsent = { text: '', file: undefined };
/** Drafts by phone number or user ID. They survive switching conversations, a closed service window, and a reload. */
const kept = new Map<string, Unsent>();
const attempted = new Map<string, Attempted>();
const attempts = new Map<string, AttemptKey>();
const listeners = new Set<() => void>();
let writer = '';

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Loads the drafts of the signed-in user and deletes those of any other user. */
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
  const drafts = Object.fromEntries(
    [...kept].map(([phone, { file: _file, isVoice: _isVoice, ...rest }]) => [phone, rest]),
  );
  const stored: Stored = { userId: writer, drafts, attempts: Object.fromEntries(attempted) };
  try {
    sessionStorage.setItem(STORE, JSON.stringify(stored));
  } catch {
    // The storage is full: drafts last only as long as the page.
  }
}

export const unsentTo = (phone: string): Unsent => kept.get(phone) ?? NOTHING;

/** Returns the current draft for a contact, and re-renders on changes. */
export const useUnsent = (phone: string): Unsent => useSyncExternalStore(subscribe, () => unsentTo(phone));

export const isEmpty = ({ text, file }: Unsent): boolean => text.trim() === '' && file === undefined;

/** Returns whether both drafts would send the same message. Their notes may differ. */
export const isSameReply = (one: Unsent, other: Unsent): boolean =>
  one.text === other.text &&
  one.file === other.file &&
  (one.isVoice ?? false) === (other.isVoice ?? false) &&
  one.answers === other.answers;

/** Returns whether a reload would lose an attached file. */
export const hasUnsentFile = (): boolean => [...kept.values()].some(({ file }) => file !== undefined);

export function keepUnsent(phone: string, changed: Partial<Unsent>): void {
  const unsent = { ...unsentTo(phone), ...changed };
  const { text, file, answers, forms, note, isNote } = unsent;
  if (text === '' && file === undefined && !answers && !forms && !note && !isNote) kept.delete(phone);
  else kept.set(phone, unsent);
  store();
  for (const listener of listeners) listener();
}

/** Stores a form of another message type; undefined deletes it. */
export function keepForm(phone: string, changed: { [Kind in keyof Forms]?: Forms[Kind] | undefined }): void {
  const forms = Object.entries({ ...unsentTo(phone).forms, ...changed }).filter(([, form]) => form !== undefined);
  keepUnsent(phone, { forms: forms.length === 0 ? undefined : (Object.fromEntries(forms) as Partial<Forms>) });
}

/** Returns the idempotency key for replies, a form or notes. Retries reuse it until a response arrives. */
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
