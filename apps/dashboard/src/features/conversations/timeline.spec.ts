import type { Message } from '../messages/shared/message-parts';
import { type Note, seenNotes, timelineOf } from './timeline';

const note = (place: string, createdAt = '2026-03-02T10:00:00.000Z'): Note => ({
  id: `note_${place}`,
  author: { id: 'usr_1', name: 'Asha' },
  text: place,
  createdAt,
});
const message = (place: string, direction: string, timestamp = '2026-03-02T10:00:00.000Z') =>
  ({ id: `msg_${place}`, direction, timestamp }) as unknown as Message;

describe('timelineOf', () => {
  it('puts notes between the messages around them', () => {
    const messages = [message('b', 'inbound'), message('d', 'outbound'), message('e', 'outbound')];
    const entries = timelineOf(messages, [note('c'), note('a'), note('f'), note('c')]);
    expect(entries.map(({ id }) => id)).toEqual(['note_a', 'msg_b', 'note_c', 'msg_d', 'msg_e', 'note_f']);
    expect(entries.map(({ isTurn }) => isTurn)).toEqual([undefined, false, undefined, true, false, undefined]);
  });

  it('marks the first entry of each day', () => {
    const entries = timelineOf(
      [message('a', 'inbound', '2026-03-01T12:00:00.000Z'), message('c', 'inbound', '2026-03-03T12:00:00.000Z')],
      [note('b', '2026-03-03T11:00:00.000Z')],
    );
    expect(entries.map(({ startsDay }) => startsDay !== undefined)).toEqual([true, true, false]);
  });
});

describe('seenNotes', () => {
  it('forgets notes that are no longer on the newest page', () => {
    const page = { messages: [{ id: 'msg_f' }, { id: 'msg_c' }], notes: [note('g'), note('d')], nextCursor: 'next' };
    const seen = seenNotes([note('a'), note('b'), note('c'), note('e'), note('g')], page);
    expect(seen.map(({ text }) => text)).toEqual(['a', 'b', 'g', 'd']);
  });

  it('keeps only the notes of a page that has everything', () => {
    expect(seenNotes([note('a')], { messages: [], notes: [note('b')], nextCursor: null })).toEqual([note('b')]);
  });

  it('keeps older notes when a page with many notes ends among them', () => {
    const page = { messages: [{ id: 'msg_f' }], notes: [note('e'), note('d')], nextCursor: 'next' };
    expect(seenNotes([note('a'), note('d')], page).map(({ text }) => text)).toEqual(['a', 'e', 'd']);
  });
});
