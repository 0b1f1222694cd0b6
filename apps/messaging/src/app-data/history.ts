import { canonicalPhone, isUserId, type MessageError } from '@switchboard/contracts';
import type { UpstreamHistoryMessage, UpstreamHistoryProgress, UpstreamMessagesValue } from '@switchboard/upstream';
import type { AppMessage } from '../callbacks/app-messages.queries';
import {
  contactOf,
  type Given,
  isChange,
  type MessageBody,
  readBody,
  textOrNull,
  usernameOf,
  type Writer,
} from '../callbacks/inbound-messages';

/** A message from before the number was added, in normalized form. */
export interface HistoryMessage extends MessageBody {
  direction: AppMessage['direction'];
  /** Contact of the chat. `sender` identifies the contact as the chat does. */
  person: Writer;
  state: AppMessage['state'];
  error: MessageError | null;
  /** Position in the chunk, starting at 0. */
  position: number;
}

/** Progress of the import. */
export interface HistoryProgress {
  phase: number;
  /** Percentage of the whole import. */
  progress: number;
}

/** Error code of the upstream platform for a business that does not share its history. */
const DECLINED = 2593109;
const LAST_PHASE = 2;

const STATES: Readonly<Record<string, AppMessage['state']>> = {
  PENDING: 'accepted',
  SENT: 'sent',
  DELIVERED: 'delivered',
  READ: 'read',
  PLAYED: 'read',
  ERROR: 'failed',
};

/** The phone app reports no reason for the failure. */
const NOT_DELIVERED: MessageError = {
  reason: 'UPSTREAM_ERROR',
  code: 0,
  title: 'Not delivered',
  message: "The business's phone app shows that the message was not delivered",
  category: 'other',
  retriable: false,
};

/**
 * Reads the messages of a chunk, in its order. Skips messages without an id, a time or a contact. Also skips edits and
 * deletions, because the history contains each message in its latest state.
 * @param ownPhone business number
 */
export function readHistory(value: UpstreamMessagesValue, ownPhone: string, now: Date): HistoryMessage[] {
  return (value.history ?? []).flatMap((message: Partial<UpstreamHistoryMessage>, position): HistoryMessage[] => {
    if (isChange(message as Given)) return [];
    const body = readBody(message as Given, now);
    const chat = readChat(message, value, ownPhone);
    if (!body?.isDated || !chat) return [];
    const state = chat.direction === 'inbound' ? 'received' : (stateOf(message.history_status) ?? 'sent');
    return [{ ...body, ...chat, state, error: state === 'failed' ? NOT_DELIVERED : null, position }];
  });
}

/** Returns the furthest progress in a chunk, because reports arrive in any order. */
export function readProgress({ history_progress: reports = [] }: UpstreamMessagesValue): HistoryProgress | undefined {
  const read = reports.flatMap(({ phase, progress }: UpstreamHistoryProgress): HistoryProgress[] =>
    isWithin(progress, 100) && isWithin(phase, LAST_PHASE) ? [{ phase, progress }] : [],
  );
  return read.toSorted((one, other) => one.progress - other.progress || one.phase - other.phase).at(-1);
}

/** Checks whether the business declined to share its history. */
export function isDeclined({ history_progress: reports = [] }: UpstreamMessagesValue): boolean {
  return reports.some(({ code }) => code === DECLINED);
}

const isWithin = (given: unknown, most: number): given is number =>
  Number.isInteger(given) && (given as number) >= 0 && (given as number) <= most;

const stateOf = (status: unknown): AppMessage['state'] | undefined =>
  typeof status === 'string' && Object.hasOwn(STATES, status.toUpperCase()) ? STATES[status.toUpperCase()] : undefined;

/** Reads the contact and the direction. Returns undefined if the message names only the business. */
function readChat(
  message: Partial<UpstreamHistoryMessage>,
  { contacts = [] }: UpstreamMessagesValue,
  ownPhone: string,
): Pick<HistoryMessage, 'direction' | 'person'> | undefined {
  const from = textOrNull(message.from);
  const isOurs = from !== null && isSame(from, ownPhone);
  const [partner, fromId] = [textOrNull(message.thread_id), textOrNull(message.from_user_id)];
  const named = partner ?? (isOurs ? textOrNull(message.to) : (from ?? fromId));
  if (named === null || isSame(named, ownPhone)) return undefined;
  const phone = isUserId(named) ? null : named;
  const givenId = phone === null ? named : textOrNull(isOurs ? message.to_user_id : message.from_user_id);
  const contact = contactOf(contacts, phone, givenId);
  const person = {
    sender: named,
    phone,
    userId: givenId ?? textOrNull(contact?.user_id),
    name: textOrNull(contact?.profile?.name),
    username: usernameOf(contact),
    parentUserId: textOrNull(contact?.parent_user_id),
  };
  return { direction: isOurs ? 'outbound' : 'inbound', person };
}

const isSame = (one: string, other: string): boolean =>
  canonicalPhone(one.replace(/^\+/, '')) === canonicalPhone(other);
