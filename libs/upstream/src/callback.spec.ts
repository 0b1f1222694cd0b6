import fc from 'fast-check';
import { fixture } from '../test/fixtures/fixtures';
import { splitCallback } from './callback';
import type { UpstreamInboundMessage } from './types';

const callbacks = fixture<Record<string, unknown>[]>('callbacks');

describe('splitCallback', () => {
  it('finds one change in every recorded callback', () => {
    const fields = callbacks.map((body) => {
      const { messages, templates, numbers, others } = splitCallback(body);
      expect(others).toEqual([]);
      expect(messages.length + templates.length + numbers.length).toBe(1);
      expect([...messages, ...templates, ...numbers][0]?.wabaId).toBe('100000000000001');
      return messages.length ? 'messages' : templates.length ? 'templates' : 'numbers';
    });
    expect(fields.filter((kind) => kind === 'messages')).toHaveLength(6);
    expect(fields.filter((kind) => kind === 'templates')).toHaveLength(7);
    expect(fields.filter((kind) => kind === 'numbers')).toHaveLength(3);
  });

  it('finds calls and ignores other lists in the same change', () => {
    const call = { id: 'wacid.1', from: '15550002222', event: 'connect', direction: 'USER_INITIATED' };
    const metadata = { phone_number_id: '2' };
    const contacts = [{ wa_id: '15550002222' }];
    const value = {
      metadata,
      contacts,
      calls: [call, 'x'],
      statuses: [{ id: 'wacid.1', status: 'sent' }],
      messages: [{}],
    };
    const { messages, others } = splitCallback({ entry: [{ id: '1', changes: [{ field: 'calls', value }] }] });
    expect(messages).toEqual([{ wabaId: '1', value: { metadata, contacts, calls: [call] } }]);
    expect(others).toEqual([]);
  });

  it("finds messages sent in the business's phone app", () => {
    const echo = { id: 'wamid.E', from: '1', to: '2', timestamp: '3', type: 'text', text: { body: 'x' } };
    const value = {
      metadata: { phone_number_id: '9' },
      message_echoes: [echo, null, 7],
      messages: [echo],
      statuses: [echo],
    };
    const { messages } = splitCallback({ entry: [{ id: '1', changes: [{ field: 'smb_message_echoes', value }] }] });
    expect(messages).toEqual([{ wabaId: '1', value: { metadata: value.metadata, message_echoes: [echo] } }]);
  });

  it('flattens the message history with its progress', () => {
    const message = (id: string) => ({ id, from: '2', timestamp: '3', type: 'text', text: { body: id } });
    const value = {
      metadata: { phone_number_id: '9' },
      statuses: [{ id: 'x' }],
      history: [
        {
          metadata: { phase: 0, chunk_order: 1, progress: 55 },
          threads: [
            { id: '2', messages: [{ ...message('a'), history_context: { status: 'READ' } }, message('b'), null] },
            { id: '3', messages: 'x' },
            7,
          ],
        },
        { errors: [{ code: 2593109, title: 'declined' }] },
        null,
      ],
      messages: [message('c')],
    };
    const { appData, messages } = splitCallback({ entry: [{ id: '1', changes: [{ field: 'history', value }] }] });
    expect(messages).toEqual([]);
    expect(appData).toEqual([
      {
        wabaId: '1',
        value: {
          metadata: value.metadata,
          history: [
            { ...message('a'), history_status: 'READ', thread_id: '2' },
            { ...message('b'), thread_id: '2' },
            message('c'),
          ],
          history_progress: [
            { phase: 0, chunk_order: 1, progress: 55 },
            { code: 2593109, title: 'declined' },
          ],
        },
      },
    ]);
  });

  it("finds the contacts of the business's phone app", () => {
    const change = { type: 'contact', contact: { full_name: 'Ana' }, action: 'add' };
    const value = { metadata: { phone_number_id: '9' }, state_sync: [change, 'x'], messages: [{ id: 'x' }] };
    const { appData } = splitCallback({ entry: [{ id: '1', changes: [{ field: 'smb_app_state_sync', value }] }] });
    expect(appData).toEqual([{ wabaId: '1', value: { metadata: value.metadata, state_sync: [change] } }]);
  });

  it('returns every inbound message unchanged', () => {
    const elements = fixture<UpstreamInboundMessage[]>('inbound-messages');
    const body = { entry: [{ id: '1', changes: [{ field: 'messages', value: { messages: elements } }] }] };
    expect(splitCallback(body).messages[0]?.value.messages).toEqual(elements);
  });

  it('adds the sender to an anonymous message from the only contact', () => {
    const named = { id: 'b', from: '2' };
    const split = (contacts: object[]) => {
      const value = { contacts, messages: [{ id: 'a' }, named] };
      return splitCallback({ entry: [{ id: '1', changes: [{ field: 'messages', value }] }] }).messages[0]?.value
        .messages;
    };
    const [ana, bo] = [{ wa_id: '1', user_id: 'US.1' }, { user_id: 'US.2' }];
    expect(split([ana])).toEqual([{ id: 'a', from: '1', from_user_id: 'US.1' }, named]);
    expect(split([bo])).toEqual([{ id: 'a', from_user_id: 'US.2' }, named]);
    expect(split([ana, bo])).toEqual([{ id: 'a' }, named]);
  });

  it("converts the number's id to text", () => {
    const idOf = (phone_number_id: unknown) => {
      const value = { metadata: { phone_number_id }, statuses: [] };
      return splitCallback({ entry: [{ id: '1', changes: [{ field: 'messages', value }] }] }).messages[0]?.value
        .metadata?.phone_number_id;
    };
    expect([idOf('2'), idOf(2), idOf({ toString: 1 }), idOf(['x']), idOf(null)]).toEqual(['2', '2', '', '', '']);
    expect(idOf('x'.repeat(5_000))).toHaveLength(256);
  });

  it('drops items with oversized ids and keeps the rest', () => {
    const long = 'x'.repeat(257);
    const id = 'x'.repeat(256);
    const split = (field: string, value: object) =>
      splitCallback({ entry: [{ id: '1', changes: [{ field, value }] }] });
    const edit = { type: 'edit', edit: { original_message_id: long, message: { type: 'text' } } };
    const given = [
      { id: long, from: '1', text: { body: long } },
      { id, from: '2' },
      { id: 'c', ...edit },
    ];
    expect(split('messages', { messages: given, contacts: [{ user_id: long }] }).messages[0]?.value).toEqual({
      messages: [
        { from: '1', text: { body: long } },
        { id, from: '2' },
        { id: 'c', type: 'edit', edit: { message: { type: 'text' } } },
      ],
      contacts: [{}],
    });
    const threads = [{ id: long, messages: [{ id: long, from: '1' }] }];
    expect(split('history', { history: [{ threads }] }).appData[0]?.value.history).toEqual([{ from: '1' }]);
    expect(split('smb_message_echoes', { message_echoes: [{ id: 'e', to: long }] }).messages[0]?.value).toEqual({
      message_echoes: [{ id: 'e' }],
    });
  });

  it('processes every entry and change in order', () => {
    const change = (id: string) => ({
      field: 'messages',
      value: { statuses: [{ id, status: 'sent', timestamp: '1' }] },
    });
    const body = {
      entry: [
        { id: '1', changes: [change('a'), change('b')] },
        { id: '2', changes: [change('c')] },
      ],
    };
    const found = splitCallback(body).messages.map(({ wabaId, value }) => `${wabaId}${value.statuses?.[0]?.id}`);
    expect(found).toEqual(['1a', '1b', '2c']);
  });

  it('recognizes a template callback with a wrong field name', () => {
    const value = { message_template_id: 1, new_quality_score: 'RED' };
    const body = { entry: [{ id: '1', time: 5, changes: [{ field: 'something_new', value }] }] };
    expect(splitCallback(body).templates).toEqual([{ wabaId: '1', time: 5, field: 'something_new', value }]);
  });

  it('returns unknown fields as other changes and drops invalid list items', () => {
    const body = {
      entry: [
        null,
        { id: 7, changes: 'x' },
        {
          id: 8,
          changes: [
            1,
            { field: 'security', value: { event: 'PIN_CHANGED' } },
            { field: 'messages', value: 'x' },
            { field: 'messages', value: { statuses: [null, 3], messages: {} } },
          ],
        },
      ],
    };
    const split = splitCallback(body);
    expect(split.others.map(({ field }) => field)).toEqual(['security', 'messages']);
    expect(split.messages).toEqual([{ wabaId: '8', value: { statuses: [], messages: [] } }]);
  });

  it('never throws for any JSON', () => {
    fc.assert(fc.property(fc.jsonValue(), (body) => void splitCallback(body)));
    const shape = fc.record({
      entry: fc.array(
        fc.record({
          id: fc.jsonValue(),
          changes: fc.array(fc.record({ field: fc.constant('messages'), value: fc.jsonValue() })),
        }),
      ),
    });
    fc.assert(fc.property(shape, (body) => void splitCallback(body)));
  });
});
