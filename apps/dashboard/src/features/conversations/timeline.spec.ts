import type { Message } from '../messages/shared/message-parts';
import { type Activity, type Aside, type Note, seenAsides, timelineOf } from './timeline';

const note = (place: string, createdAt = '2026-03-02T10:00:00.000Z'): Note => ({
  id: `note_${place}`,
  author: { id: 'usr_1', name: 'Asha' },
  text: place,
  createdAt,
});
const activity = (place: string, createdAt = '2026-03-02T10:00:00.000Z'): Activity => ({
  id: `act_${place}`,
  action: 'reopened',
  actor: null,
  assignee: null,
  createdAt,
});
const message = (place: string, direction: string, timestamp = '2026-03-02T10:00:00.000Z') =>
  ({ id: `msg_${place}`, direction, timestamp }) as unknown as Message;

describe('timelineOf', () => {
  it('puts notes and activities between the messages around them', () => {
    const messages = [message('b', 'inbound'), message('d', 'outbound'), message('e', 'outbound')];
    const entries = timelineOf(messages, [note('c'), note('a'), activity('f'), note('c')]);
    expect(entries.map(({ id }) => id)).toEqual(['note_a', 'msg_b', 'note_c', 'msg_d', 'msg_e', 'act_f']);
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

const textsOf = (asides: readonly Aside[]) => asides.map((aside) => ('text' in aside ? aside.text : aside.id));

describe('seenAsides', () => {
  it('forgets notes that are no longer on the newest page', () => {
    const page = {
      messages: [{ id: 'msg_f' }, { id: 'msg_c' }],
      notes: [note('g'), note('d')],
      activities: [activity('f')],
      nextCursor: 'next',
    };
    const seen = seenAsides([note('a'), note('b'), note('c'), note('e'), note('g')], page);
    expect(textsOf(seen)).toEqual(['a', 'b', 'g', 'act_f', 'd']);
  });

  it('keeps only the notes of a page that has everything', () => {
    expect(seenAsides([note('a')], { messages: [], notes: [note('b')], activities: [], nextCursor: null })).toEqual([
      note('b'),
    ]);
  });

  it('keeps older notes when a page with many activities ends among them', () => {
    const page = { messages: [{ id: 'msg_f' }], notes: [note('e')], activities: [activity('d')], nextCursor: 'next' };
    expect(textsOf(seenAsides([note('a'), activity('d')], page))).toEqual(['a', 'e', 'act_d']);
  });
});
