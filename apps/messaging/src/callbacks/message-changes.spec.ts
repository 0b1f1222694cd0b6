import { edited, readChanges } from './message-changes';

const now = new Date('2026-03-02T10:20:00.000Z');
const writer = { from: '919812345678', id: 'wamid.CHANGE', timestamp: '1772446740' };
const contacts = [{ wa_id: '919812345678', user_id: 'IN.1', profile: { name: 'Asha' } }];
const text = { type: 'text', text: { body: 'New' } };

describe('readChanges', () => {
  it('reads the author, message, content and time of a change', () => {
    const messages = [
      { ...writer, type: 'edit', edit: { original_message_id: 'wamid.IN', message: text } },
      { ...writer, type: 'revoke', group_id: 'g', revoke: { original_message_id: 'wamid.IN' } },
    ];
    const common = {
      upstreamId: 'wamid.CHANGE',
      originalId: 'wamid.IN',
      sender: '919812345678',
      phone: '919812345678',
      userId: 'IN.1',
      username: null,
      parentUserId: null,
      name: 'Asha',
      at: '2026-03-02T10:19:00.000Z',
    };
    expect(readChanges({ messages, contacts }, now)).toEqual([
      { ...common, groupId: null, edit: { type: 'text', content: { body: 'New' } } },
      { ...common, groupId: 'g', edit: null },
    ]);
  });

  it.each([
    ['a regular message', { ...writer, ...text }],
    ['an edit without a message', { ...writer, type: 'edit', edit: { original_message_id: 'wamid.IN' } }],
    [
      'an edit without a type',
      { ...writer, type: 'edit', edit: { original_message_id: 'wamid.IN', message: { type: 7 } } },
    ],
    ['a deletion without a message', { ...writer, type: 'revoke', revoke: {} }],
    [
      'a deletion without an author',
      { ...writer, from: undefined, type: 'revoke', revoke: { original_message_id: 'x' } },
    ],
    ['a list instead of an object', { ...writer, type: 'revoke', revoke: [] }],
  ])('skips %s', (_what, message) => expect(readChanges({ messages: [message] }, now)).toEqual([]));
});

describe('edited', () => {
  const image = { id: 'med_1', mime_type: 'image/jpeg', caption: 'Old' };
  const before = { type: 'image', content: image, caption: null };

  it('replaces the text', () =>
    expect(
      edited({ type: 'text', content: { body: 'Old' }, caption: null }, { type: 'text', content: { body: 'New' } }),
    ).toEqual({
      type: 'text',
      content: { body: 'New' },
      caption: null,
    }));

  it('keeps the file and ignores the one in the edit', () =>
    expect(edited(before, { type: 'image', content: { id: '9', url: 'https://x', caption: 'New' } })).toEqual({
      type: 'image',
      content: { ...image, caption: 'New' },
      caption: 'New',
    }));

  it('removes a caption', () =>
    expect(edited(before, { type: 'image', content: { id: '9' } })).toEqual({
      type: 'image',
      content: { id: 'med_1', mime_type: 'image/jpeg' },
      caption: null,
    }));

  it('omits the file of an unknown message', () =>
    expect(
      edited(undefined, {
        type: 'image',
        content: { id: '9', url: 'https://x', mime_type: 'image/png', caption: 'New' },
      }),
    ).toEqual({ type: 'image', content: { caption: 'New' }, caption: 'New' }));

  it('changes only the caption if the type differs', () =>
    expect(
      edited({ type: 'text', content: { body: 'Old' }, caption: null }, { type: 'image', content: { caption: 'New' } }),
    ).toEqual({
      type: 'text',
      content: { body: 'Old' },
      caption: 'New',
    }));
});
