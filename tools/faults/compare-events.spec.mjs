import { compareEvents } from './compare-events.mjs';

const told = (messageId, status, eventId = `evt_${messageId}_${status}`) => ({
  event: 'message_status',
  messageId,
  status,
  eventId,
});

describe('webhooks compared with messages', () => {
  const rows = [
    { upstream_id: 'wamid.1', state: 'read' },
    { upstream_id: 'wamid.2', state: 'failed' },
    { upstream_id: null, state: 'failed' },
  ];

  it('finds nothing when each last state was told', () => {
    const events = [
      told('wamid.1', 'sent'),
      told('wamid.1', 'read'),
      told('wamid.2', 'failed'),
      { event: 'message', eventId: 'evt_in' },
    ];
    expect(compareEvents(rows, events)).toEqual({ missing: [], doubled: [], again: 0 });
  });

  it('finds a state that was never told', () => {
    expect(compareEvents(rows, [told('wamid.1', 'sent'), told('wamid.2', 'failed')]).missing).toEqual([
      'no webhook told that wamid.1 is read',
    ]);
  });

  it('tells an event that came again from two events for one state', () => {
    const events = [
      told('wamid.1', 'read'),
      told('wamid.1', 'read'),
      told('wamid.2', 'failed'),
      told('wamid.2', 'failed', 'evt_other'),
    ];
    expect(compareEvents(rows, events)).toEqual({ missing: [], doubled: ['2 events told: wamid.2 failed'], again: 1 });
  });
});
