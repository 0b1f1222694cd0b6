import type { Schemas } from '../../api/client';
import { longDay } from '../../lib/formats';
import type { Message } from '../messages/shared/message-parts';

export type Note = Schemas['Note'];
export type ThreadPage = Schemas['ConsoleThread'];

/** Returns the part of an ID that contains the time, by which messages and notes share one order. */
const placeOf = (id: string): string => id.slice(id.indexOf('_') + 1);

/** Notes seen so far. The newest page replaces those of its period, so that deleted notes disappear. */
export function seenNotes(
  seen: readonly Note[],
  { messages, notes, nextCursor }: Pick<ThreadPage, 'notes' | 'nextCursor'> & { messages: readonly { id: string }[] },
): Note[] {
  if (nextCursor === null) return notes;
  const end = [messages.at(-1), notes.at(-1)].flatMap((last) => (last ? placeOf(last.id) : [])).sort()[0] ?? '';
  return [...seen.filter(({ id }) => placeOf(id) < end), ...notes];
}

export type TimelineEntry = { id: string; startsDay: string | undefined } & (
  | { note: Note; message?: never; isTurn?: never }
  | { message: Message; isTurn: boolean; note?: never }
);

/** Merges messages, oldest first, with notes, and marks the first entry of each day. */
export function timelineOf(messages: readonly Message[], notes: readonly Note[]): TimelineEntry[] {
  const entries = [
    ...messages.map((message, index) => {
      const before = messages[index - 1];
      const isTurn = before !== undefined && before.direction !== message.direction;
      return { id: message.id, at: message.timestamp, message, isTurn };
    }),
    ...new Map(notes.map((note) => [note.id, { id: note.id, at: note.createdAt, note }])).values(),
  ].sort((one, other) => (placeOf(one.id) < placeOf(other.id) ? -1 : 1));
  return entries.map(({ at, ...entry }, index) => {
    const before = entries[index - 1];
    const day = longDay(at);
    return { ...entry, startsDay: before && longDay(before.at) === day ? undefined : day };
  });
}
