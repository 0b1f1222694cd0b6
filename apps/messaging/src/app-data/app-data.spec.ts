import type { UpstreamMessagesValue } from '@switchboard/upstream';
import { readEchoChanges, readEchoes } from '../callbacks/echoes';
import { readAppContacts } from './app-contacts';
import { isDeclined, readHistory, readProgress } from './history';

const OWN = '15550783881';
const NOW = new Date('2026-03-02T10:15:00.000Z');
const AT = '1772446500';
const text = { id: 'wamid.1', timestamp: AT, type: 'text', text: { body: 'Hello' } };
/** Casts a value of any shape, because callbacks may contain any JSON. */
const value = (given: object): UpstreamMessagesValue => given as UpstreamMessagesValue;

describe('messages from the phone app', () => {
  const read = (...echoes: object[]) => readEchoes(value({ message_echoes: echoes }), NOW);

  it('identify the recipient by number, user id or both', () => {
    const [byPhone, byId, byBoth] = read(
      { ...text, from: OWN, to: '919812345678' },
      { ...text, from: OWN, to: 'IN.1001' },
      { ...text, from: OWN, to: '919812345678', to_user_id: 'IN.1001' },
    ).map(({ recipient }) => recipient);
    expect(byPhone).toMatchObject({ sender: '919812345678', phone: '919812345678', userId: null });
    expect(byId).toMatchObject({ sender: 'IN.1001', phone: null, userId: 'IN.1001' });
    expect(byBoth).toMatchObject({ sender: '919812345678', phone: '919812345678', userId: 'IN.1001' });
  });

  it('are skipped without an id or a recipient', () => {
    expect(read({ ...text, from: OWN }, { ...text, to: 7 }, { ...text, id: 7, to: '919812345678' }, {})).toEqual([]);
  });

  it('are read as changes if edited or deleted', () => {
    const changes = [
      { ...text, to: '919812345678', type: 'revoke', revoke: { original_message_id: 'wamid.0' } },
      { ...text, to: '919812345678', type: 'edit', edit: { original_message_id: 'wamid.0', message: text } },
      { ...text, to: '919812345678', type: 'edit', edit: { message: text } },
      { ...text, type: 'revoke', revoke: { original_message_id: 'wamid.0' } },
    ];
    expect(readEchoes(value({ message_echoes: changes }), NOW)).toEqual([]);
    expect(readEchoChanges(value({ message_echoes: changes }), NOW)).toMatchObject([
      { originalId: 'wamid.0', sender: '919812345678', edit: null },
      { originalId: 'wamid.0', edit: { type: 'text', content: { body: 'Hello' } } },
    ]);
  });
});

describe('phone app history messages', () => {
  const read = (...history: object[]) => readHistory(value({ history }), OWN, NOW);

  it("belong to their chat's contact", () => {
    const chat = { ...text, thread_id: '919812345678' };
    expect(
      read(
        { ...chat, from: '919812345678', history_status: 'READ' },
        { ...chat, from: OWN, history_status: 'READ' },
        { ...chat, from: `+${OWN}`, history_status: 'nonsense' },
        { ...chat, from_user_id: 'IN.1001' },
      ).map(({ direction, person: { sender, userId }, state }) => [direction, sender, userId, state]),
    ).toEqual([
      ['inbound', '919812345678', null, 'received'],
      ['outbound', '919812345678', null, 'read'],
      ['outbound', '919812345678', null, 'sent'],
      ['inbound', '919812345678', 'IN.1001', 'received'],
    ]);
  });

  it('belong to the sender or recipient if the chat is missing', () => {
    expect(read({ ...text, from: '919812345678' }, { ...text, from: OWN, to: '919812345678' })).toMatchObject([
      { direction: 'inbound', person: { sender: '919812345678' } },
      { direction: 'outbound', person: { sender: '919812345678' } },
    ]);
  });

  it.each([
    ['PENDING', 'accepted'],
    ['SENT', 'sent'],
    ['DELIVERED', 'delivered'],
    ['READ', 'read'],
    ['PLAYED', 'read'],
    ['ERROR', 'failed'],
    ['constructor', 'sent'],
  ])('sent by the business with status %s have the state %s', (status, state) => {
    const [message] = read({ ...text, thread_id: '919812345678', from: OWN, history_status: status });
    expect(message?.state).toBe(state);
    expect(message?.error === null).toBe(state !== 'failed');
  });

  it('are skipped without a time, an id or a contact', () => {
    const chat = { ...text, thread_id: '919812345678', from: '919812345678' };
    const far = String(Math.floor(NOW.getTime() / 1_000) + 3 * 86_400);
    expect(
      read(
        { ...chat, timestamp: undefined },
        { ...chat, timestamp: 'x' },
        { ...chat, timestamp: far },
        { ...chat, id: {} },
        { ...text, from: OWN },
        { ...text, from: OWN, thread_id: OWN },
        { ...text, from: { a: 1 }, thread_id: ['x'] },
        { ...chat, type: 'revoke', revoke: { original_message_id: 'a' } },
      ),
    ).toEqual([]);
  });
});

describe('history progress', () => {
  it('is the furthest valid progress reported', () => {
    const reports = [
      { phase: 1, progress: 40 },
      { phase: 0, progress: 40 },
      { phase: 2, progress: 30 },
      { phase: '2', progress: 99 },
      { phase: 3, progress: 99 },
      { phase: 1, progress: 101 },
      { progress: 80 },
      {},
    ];
    expect(readProgress(value({ history_progress: reports }))).toEqual({ phase: 1, progress: 40 });
    expect(readProgress({})).toBeUndefined();
  });

  it('counts as declined for error 2593109 only', () => {
    expect(isDeclined(value({ history_progress: [{ code: 2593109 }] }))).toBe(true);
    expect(isDeclined(value({ history_progress: [{ code: 131000 }, {}] }))).toBe(false);
  });
});

describe('phone app contacts', () => {
  const change = (contact: object, { action = 'add', timestamp = AT as unknown } = {}) => ({
    type: 'contact',
    contact,
    action,
    metadata: { timestamp },
  });
  const read = (...changes: object[]) => readAppContacts(value({ state_sync: changes }), NOW);

  it('have the full or first name, trimmed and truncated', () => {
    expect(
      read(
        change({ full_name: ' Asha Rao ', first_name: 'Asha', phone_number: '+91 98123-45678' }),
        change({ first_name: 'Bo', phone_number: '919812345679' }, { action: 'edit' }),
        change({ full_name: '👍'.repeat(1_000), phone_number: '919812345670' }),
      ).map(({ phone, name }) => [phone, name]),
    ).toEqual([
      ['919812345678', 'Asha Rao'],
      ['919812345679', 'Bo'],
      ['919812345670', '👍'.repeat(256)],
    ]);
  });

  it('are read once each, with the newest change', () => {
    const ana = { full_name: 'Ana', phone_number: '919812345678' };
    expect(
      read(
        change({ ...ana, full_name: 'New' }, { timestamp: '1772446502' }),
        change(ana, { timestamp: '1772446501' }),
        change({ phone_number: ana.phone_number }, { action: 'remove', timestamp: '1772446502' }),
      ),
    ).toEqual([{ phone: '919812345678', name: null, at: '2026-03-02T10:15:02.000Z' }]);
  });

  it('are skipped without a number, name or known action', () => {
    expect(
      read(
        change({ full_name: 'Ana' }),
        change({ full_name: 'Ana', phone_number: 'x' }),
        change({ full_name: '  ', phone_number: '919812345678' }),
        change({ full_name: { a: 1 }, phone_number: '919812345678' }),
        change({ full_name: 'Ana', phone_number: '919812345678' }, { action: 'burn' }),
        { ...change({ full_name: 'Ana', phone_number: '919812345678' }), type: 'label' },
        { type: 'contact', contact: 'x', action: 'add' },
      ),
    ).toEqual([]);
  });

  it('use the report time if their timestamp is missing or invalid', () => {
    const contact = { full_name: 'Ana', phone_number: '919812345678' };
    const sync = { type: 'contact', contact, action: 'add' };
    for (const given of [sync, { ...sync, metadata: 'x' }, change(contact, { timestamp: 'soon' })])
      expect(read(given)).toMatchObject([{ at: NOW.toISOString() }]);
  });
});
