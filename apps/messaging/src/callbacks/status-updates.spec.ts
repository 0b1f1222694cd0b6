import { readStatuses } from './status-updates';

const now = new Date('2026-11-28T00:00:00Z');
const status = { id: 'wamid.OUT', status: 'failed', timestamp: '1790416830' };

describe('readStatuses', () => {
  it('reads the status of a message', () => {
    expect(readStatuses([status], now)).toMatchObject([{ upstreamId: 'wamid.OUT', status: 'failed' }]);
  });

  it.each([{ type: 'payment' }, { type: 'call' }, { recipient_type: 'group' }, { status: 'played' }])(
    'skips a status with %j',
    (other) => {
      expect(readStatuses([{ ...status, ...other }], now)).toEqual([]);
    },
  );
});
