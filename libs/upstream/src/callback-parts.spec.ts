import fc from 'fast-check';
import { partsOfMessages } from './callback-parts';
import type { MessagesChange } from './callback';
import type { UpstreamMessagesValue } from './types';

const common = { messaging_product: 'whatsapp', metadata: { phone_number_id: '2' } };
const status = (id: string) => ({ id, status: 'sent', timestamp: '1', recipient_id: id });
const idsOf = (changes: readonly MessagesChange[]): string[] =>
  changes.flatMap(({ value }) => [...(value.messages ?? []), ...(value.statuses ?? [])].map(({ id }) => id));

const BYTES = 98_304;
const within = (items: number) => ({ items, bytes: BYTES });
const bytesOf = (value: object): number => Buffer.byteLength(JSON.stringify(value));

describe('partsOfMessages', () => {
  it('splits a large change and gives each part its contacts', () => {
    const names = Array.from({ length: 250 }, (_unused, index) => `w${index}`);
    const value = { ...common, statuses: names.map(status), contacts: names.map((name) => ({ wa_id: name })) };
    const parts = partsOfMessages([{ wabaId: '1', value }], within(100));
    expect(parts.map((part) => part.value.statuses?.length)).toEqual([100, 100, 50]);
    expect(parts.map((part) => part.value.contacts?.length)).toEqual([100, 100, 50]);
    expect(parts[2]?.value).toMatchObject({
      ...common,
      contacts: expect.arrayContaining([{ wa_id: 'w249' }]) as object[],
    });
    expect(idsOf(parts)).toEqual(names);
  });

  it('splits a long history and keeps the ids of an oversized message', () => {
    const large = {
      id: 'big',
      from: '2',
      thread_id: '2',
      timestamp: '1',
      history_status: 'READ',
      type: 'text',
      text: { body: 'x'.repeat(200_000) },
    };
    const history = Array.from({ length: 250 }, (_unused, index) => ({
      id: String(index),
      from: '2',
      thread_id: '2',
      timestamp: '1',
      type: 'text',
    }));
    const value = { ...common, history: [...history, large], history_progress: [{ phase: 0, progress: 5 }] };
    const parts = partsOfMessages([{ wabaId: '1', value }], within(100));
    expect(parts.map((part) => part.value.history?.length)).toEqual([100, 100, 51]);
    expect(parts.at(-1)?.value.history_progress).toEqual([{ phase: 0, progress: 5 }]);
    expect(parts.at(-1)?.value.history?.at(-1)).toMatchObject({
      id: 'big',
      from: '2',
      thread_id: '2',
      history_status: 'READ',
      type: 'unsupported',
    });
    for (const part of parts) expect(bytesOf(part.value)).toBeLessThan(BYTES);
  });

  it('merges only adjacent changes of the same number', () => {
    const other = { ...common, metadata: { phone_number_id: '3' } };
    const changes = [
      { wabaId: '1', value: { ...common, statuses: [status('a')] } },
      { wabaId: '1', value: { ...common, statuses: [status('b')] } },
      { wabaId: '1', value: { ...other, statuses: [status('c')] } },
      { wabaId: '2', value: { ...other, statuses: [status('d')] } },
    ];
    expect(partsOfMessages(changes, within(100)).map((part) => idsOf([part]))).toEqual([['a', 'b'], ['c'], ['d']]);
  });

  it('keeps the contact of a single message despite another number format', () => {
    const message = { id: 'm', from: '551187654321', timestamp: '1', type: 'text' };
    const contacts = [{ wa_id: '5511987654321', profile: { name: 'Ana' } }];
    expect(
      partsOfMessages([{ wabaId: '1', value: { ...common, messages: [message], contacts } }], within(10))[0]?.value
        .contacts,
    ).toEqual(contacts);
  });

  it('keeps a change without updates unchanged', () => {
    const empty = { wabaId: '1', value: { ...common, something_new: [1] } };
    const change = { wabaId: '1', value: { ...common, statuses: [status('a')] } };
    expect(partsOfMessages([empty, change], within(10))).toEqual([empty, change]);
  });

  it('loses, repeats and reorders no update and limits every part', () => {
    const change = fc.record({
      wabaId: fc.constantFrom('1', '2'),
      value: fc.record({
        metadata: fc.record({ phone_number_id: fc.constantFrom('2', '3') }),
        statuses: fc.array(fc.record({ id: fc.uuid(), status: fc.constant('sent'), timestamp: fc.constant('1') })),
      }),
    });
    fc.assert(
      fc.property(fc.array(change), fc.integer({ min: 1, max: 7 }), (changes, limit) => {
        const parts = partsOfMessages(changes, within(limit));
        expect(idsOf(parts)).toEqual(idsOf(changes));
        expect(parts.every(({ value }) => (value.statuses?.length ?? 0) <= limit)).toBe(true);
      }),
    );
  });

  it('splits updates by size without loss', () => {
    const texts = Array.from({ length: 100 }, (_unused, index) => ({
      id: `m${index}`,
      from: `${index}`,
      timestamp: '1',
      type: 'text',
      text: { body: '\u20ac'.repeat(4_096) },
    }));
    const contacts = texts.map(({ from }) => ({ wa_id: from, profile: { name: 'Ana' } }));
    const parts = partsOfMessages([{ wabaId: '1', value: { ...common, messages: texts, contacts } }], within(100));
    expect(Math.max(...parts.map(bytesOf))).toBeLessThan(BYTES + 1_024);
    expect(parts.flatMap(({ value }) => value.messages)).toEqual(texts);
    expect(parts.flatMap(({ value }) => value.contacts)).toEqual(contacts);
  });

  it('replaces an oversized message with an unsupported one', () => {
    const message = {
      id: 'm',
      from: '551187654321',
      timestamp: '1',
      type: 'text',
      text: { body: 'x'.repeat(3_000_000) },
    };
    const next = { ...message, id: 'n', text: { body: 'Hello' } };
    const [part, ...others] = partsOfMessages(
      [{ wabaId: '1', value: { ...common, messages: [message, next] } }],
      within(100),
    );
    expect(others).toEqual([]);
    expect(part?.value.messages).toEqual([
      {
        id: 'm',
        from: '551187654321',
        timestamp: '1',
        type: 'unsupported',
        errors: [expect.objectContaining({ code: 131051 })],
      },
      next,
    ]);
  });

  it.each([
    [
      'a status',
      { statuses: [{ ...status('a'), errors: [{ title: 'x'.repeat(3_000_000) }] }] },
      { statuses: [status('a')] },
    ],
    [
      'the common members of all updates',
      { statuses: [status('a')], other: 'x'.repeat(3_000_000) },
      { statuses: [status('a')] },
    ],
    [
      'a contact',
      { statuses: [status('a')], contacts: [{ wa_id: 'a', profile: { name: 'x'.repeat(3_000_000) } }] },
      { statuses: [status('a')], contacts: [{ wa_id: 'a' }] },
    ],
    ['a change without updates', { other: 'x'.repeat(3_000_000) }, {}],
  ])('limits the size of %s', (_title, given, expected) => {
    const parts = partsOfMessages(
      [{ wabaId: '1', value: { ...common, ...given } as UpstreamMessagesValue }],
      within(100),
    );
    expect(parts).toEqual([{ wabaId: '1', value: { ...common, ...expected } }]);
  });
});
