import type { Schemas } from '../../api/client';
import { longDay } from '../../lib/formats';
import type { Message } from '../messages/shared/message-parts';

export type Note = Schemas['Note'];
export type Activity = Schemas['Activity'];
/** What a thread shows between the messages. */
export type Aside = Note | Activity;
export type ThreadPage = Schemas['ConsoleThread'];

/** Returns the part of an ID that contains the time, by which messages, notes and activities share one order. */
const placeOf = (id: string): string => id.slice(id.indexOf('_') + 1);

/** Returns the notes and activities of a page, newest first. */
export const asidesOf = ({ notes, activities }: Pick<ThreadPage, 'notes' | 'activities'>): Aside[] =>
  [...notes, ...activities].sort((one, other) => (placeOf(one.id) > placeOf(other.id) ? -1 : 1));

/** Asides seen so far. The newest page replaces those of its period, so that deleted notes disappear. */
export function seenAsides(
  seen: readonly Aside[],
  page: Pick<ThreadPage, 'notes' | 'activities' | 'nextCursor'> & { messages: readonly { id: string }[] },
): Aside[] {
  const asides = asidesOf(page);
  if (page.nextCursor === null) return asides;
  const end = [page.messages.at(-1), asides.at(-1)].flatMap((last) => (last ? placeOf(last.id) : [])).sort()[0] ?? '';
  return [...seen.filter(({ id }) => placeOf(id) < end), ...asides];
}

export type TimelineEntry = { id: string; startsDay: string | undefined } & (
  | { aside: Aside; message?: never; isTurn?: never }
  | { message: Message; isTurn: boolean; aside?: never }
);

/** Merges messages, oldest first, with asides, and marks the first entry of each day. */
export function timelineOf(messages: readonly Message[], asides: readonly Aside[]): TimelineEntry[] {
  const entries = [
    ...messages.map((message, index) => {
      const before = messages[index - 1];
      const isTurn = before !== undefined && before.direction !== message.direction;
      return { id: message.id, at: message.timestamp, message, isTurn };
    }),
    ...new Map(asides.map((aside) => [aside.id, { id: aside.id, at: aside.createdAt, aside }])).values(),
  ].sort((one, other) => (placeOf(one.id) < placeOf(other.id) ? -1 : 1));
  return entries.map(({ at, ...entry }, index) => {
    const before = entries[index - 1];
    const day = longDay(at);
    return { ...entry, startsDay: before && longDay(before.at) === day ? undefined : day };
  });
}
