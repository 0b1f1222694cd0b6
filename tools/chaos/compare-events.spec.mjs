import { compareEvents, compareInbound } from './compare-events.mjs';

const told = (messageId, status, eventId = `evt_${messageId}_${status}`) => ({
  event: 'message_status',
  messageId,
  status,
  eventId,
});

describe('compareEvents', () => {
  const rows = [
    { upstream_id: 'wamid.1', state: 'read' },
    { upstream_id: 'wamid.2', state: 'failed' },
    { upstream_id: null, state: 'failed' },
  ];

  it('reports nothing when every last status was published', () => {
    const events = [
      told('wamid.1', 'sent'),
      told('wamid.1', 'read'),
      told('wamid.2', 'failed'),
      { event: 'message', eventId: 'evt_in' },
    ];
    expect(compareEvents(rows, events)).toEqual({ missing: [], doubled: [], again: 0 });
  });

  it('reports a status that was never published', () => {
    expect(compareEvents(rows, [told('wamid.1', 'sent'), told('wamid.2', 'failed')]).missing).toEqual([
      'no webhook told that wamid.1 is read',
    ]);
  });

  it('distinguishes a redelivered event from two events for one status', () => {
    const events = [
      told('wamid.1', 'read'),
      told('wamid.1', 'read'),
      told('wamid.2', 'failed'),
      told('wamid.2', 'failed', 'evt_other'),
    ];
    expect(compareEvents(rows, events)).toEqual({ missing: [], doubled: ['2 events told: wamid.2 failed'], again: 1 });
  });

  it('identifies sends without an upstream id by their internal id', () => {
    const failed = (/** @type {string} */ id) => ({ ...told('', 'failed', `evt_${id}`), messageId: null, id });
    expect(compareEvents([], [failed('msg_1'), failed('msg_2')]).doubled).toEqual([]);
  });
});

describe('compareInbound', () => {
  const rows = [{ upstream_id: 'wamid.1' }, { upstream_id: 'wamid.2' }];
  const message = (messageId, eventId = `evt_${messageId}`) => ({ event: 'message', messageId, eventId });
  const events = [message('wamid.1'), message('wamid.2'), told('wamid.3', 'read')];

  it('accepts messages that are stored and published once', () => {
    expect(compareInbound(['wamid.1', 'wamid.2'], rows, events)).toEqual({ lost: [], doubled: [] });
  });

  it('accepts an event that was delivered again', () => {
    expect(compareInbound(['wamid.1'], rows, [...events, message('wamid.1')]).doubled).toEqual([]);
  });

  it('reports a message without a row or a webhook', () => {
    expect(compareInbound(['wamid.1', 'wamid.3'], rows, []).lost).toEqual([
      'wamid.1 is not in the webhooks',
      'wamid.3 is not in the messages',
      'wamid.3 is not in the webhooks',
    ]);
  });

  it('reports a message with two rows or two events', () => {
    const twice = { rows: [...rows, ...rows], events: [...events, message('wamid.2', 'evt_other')] };
    expect(compareInbound(['wamid.2'], twice.rows, twice.events).doubled).toEqual([
      'wamid.2 is 2 times in the messages',
      'wamid.2 is 2 times in the webhooks',
    ]);
  });
});
